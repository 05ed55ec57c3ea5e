/** The report as a file. */
import { useAnnounce } from '../kit/announce.tsx';
import { useAction } from '../kit/async.ts';
import { offerFile } from '../kit/download.ts';
import { Trouble } from '../kit/trouble.tsx';
import { useSession } from '../session.ts';

const FORMS = [
  ['json', 'JSON', 'json'],
  ['junit', 'JUnit', 'xml'],
  ['html', 'HTML', 'html'],
  ['sarif', 'SARIF', 'sarif'],
] as const;

export function Downloads({ strict }: { strict: boolean }) {
  const { client } = useSession();
  const announce = useAnnounce();
  const loading = useAction();
  const download = (format: (typeof FORMS)[number][0], suffix: string): void => {
    void loading.run(async () => {
      const query = { strict, format };
      const text = await client.text('GET /report', { query });
      offerFile(text, `contract-report.${suffix}`);
      announce(`Downloaded contract-report.${suffix}.`);
    });
  };
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms */}
      <div class="buttons" role="group" aria-labelledby="downloads">
        <span class="hint" id="downloads">
          Download the report
        </span>
        {FORMS.map(([format, label, suffix]) => (
          <button key={format} type="button" disabled={loading.isBusy} onClick={() => download(format, suffix)}>
            {label}
          </button>
        ))}
      </div>
      <Trouble error={loading.error} />
    </>
  );
}
