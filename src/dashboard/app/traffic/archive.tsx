/** Exchanges as an HTTP Archive, for a browser's network panel or Playwright. */
import type { ControlsClient } from '../../../client/client.ts';
import { useAnnounce } from '../kit/announce.tsx';
import { useAction } from '../kit/async.ts';
import { offerFile } from '../kit/download.ts';
import { many } from '../kit/time.ts';
import { Trouble } from '../kit/trouble.tsx';
import { useSession } from '../session.ts';

interface ArchiveProps {
  readonly ids: readonly string[];
  /** Of the file. */
  readonly name: string;
  readonly children: string;
}

export function ArchiveButton({ ids, name, children }: ArchiveProps) {
  const { client } = useSession();
  const announce = useAnnounce();
  const { run, isBusy, error } = useAction();
  const save = (): Promise<unknown> =>
    run(async () => {
      const { text, count } = await archiveOf(client, ids);
      offerFile(text, name);
      announce(`Downloaded ${many(count, 'request')} as ${name}.`);
    });
  return (
    <>
      <button
        type="button"
        class="plain"
        aria-label="Download HAR"
        disabled={isBusy || ids.length === 0}
        onClick={() => void save()}
      >
        {children}
      </button>
      <Trouble error={error} />
    </>
  );
}

/** The members that are read here; all others stay as they are. */
interface Archive {
  readonly log: { readonly entries: readonly { readonly _sandbox: { readonly id: string } }[] };
}

/** The server writes the archive; the page leaves out what it does not show. Bodies are texts: no digit is lost. */
async function archiveOf(client: ControlsClient, ids: readonly string[]): Promise<{ text: string; count: number }> {
  const request = ids.length === 1 ? ids[0] : undefined;
  const whole = await client.text('GET /export', { query: { format: 'har', request } });
  const archive = JSON.parse(whole) as Archive;
  const wanted = new Set(ids);
  const entries = archive.log.entries.filter((entry) => wanted.has(entry._sandbox.id));
  return { text: JSON.stringify({ ...archive, log: { ...archive.log, entries } }), count: entries.length };
}
