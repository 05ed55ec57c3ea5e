/** The sandbox as a file, and a file as a sandbox. */
import { useAnnounce } from '../kit/announce.tsx';
import { useAction } from '../kit/async.ts';
import { offerFile } from '../kit/download.ts';
import { Trouble } from '../kit/trouble.tsx';
import { type Session, useSession } from '../session.ts';
import { RecordingPicker } from './recording-picker.tsx';

/** What else there is: the traffic, or the pets. */
const OTHERS = [
  ['har', 'HTTP Archive', 'requests.har'],
  ['curl', 'curl script', 'requests.sh'],
  ['fixture', 'Fixture', 'pets.json'],
] as const;

type Format = 'recording' | (typeof OTHERS)[number][0];

export function RecordingCard({ onOpen }: { onOpen: (session: Session) => void }) {
  const { client } = useSession();
  const announce = useAnnounce();
  const { run, isBusy, error } = useAction();
  const save = (format: Format, name: string): void => {
    void run(async () => {
      offerFile(await client.text('GET /export', { query: { format } }), name);
      announce(`Downloaded ${name}.`);
    });
  };
  return (
    <section class="card" aria-labelledby="recording">
      <h2 id="recording">Recording</h2>
      <p class="hint">This sandbox as one file without secrets: its pets, traffic, verdicts, clock and faults.</p>
      <div class="buttons">
        <button type="button" disabled={isBusy} onClick={() => save('recording', 'recording.jsonl')}>
          Save the recording
        </button>
      </div>
      <details>
        <summary>Other forms</summary>
        <div class="buttons">
          {OTHERS.map(([format, label, name]) => (
            <button key={format} type="button" disabled={isBusy} onClick={() => save(format, name)}>
              {label}
            </button>
          ))}
        </div>
      </details>
      <Trouble error={error} />
      <h3>Open one</h3>
      <RecordingPicker onOpen={onOpen} />
    </section>
  );
}
