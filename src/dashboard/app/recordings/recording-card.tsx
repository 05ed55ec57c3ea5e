/** The sandbox as a file, and a file as a sandbox. */
import { useAnnounce } from '../kit/announce.tsx';
import { useAction } from '../kit/async.ts';
import { offerFile } from '../kit/download.ts';
import { Trouble } from '../kit/trouble.tsx';
import { type Session, useSession } from '../session.ts';
import { CasePicker } from './recording-picker.tsx';

/** What else there is: the traffic, or the pets. */
const OTHERS = [
  ['har', 'HTTP Archive', 'requests.har'],
  ['curl', 'curl script', 'requests.sh'],
  ['fixture', 'Fixture', 'pets.json'],
] as const;

type Format = 'case' | (typeof OTHERS)[number][0];

export function CaseCard({ onOpen }: { onOpen: (session: Session) => void }) {
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
    <section class="card" aria-labelledby="case">
      <h2 id="case">Case</h2>
      <p class="hint">This sandbox as one file without secrets: its pets, traffic, verdicts, clock and faults.</p>
      <div class="buttons">
        <button type="button" disabled={isBusy} onClick={() => save('case', 'case.json')}>
          Save the case
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
      <CasePicker onOpen={onOpen} />
    </section>
  );
}
