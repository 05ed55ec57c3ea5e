/** Ready for production? The rows of `npx petstore-sandbox ready`, over what the client of this sandbox has done so far. */
import { useLoaded } from '../kit/action.ts';
import { Trouble } from '../kit/trouble.tsx';
import { sentence, visible } from '../kit/visible.tsx';
import { addressOf } from '../route.ts';
import { useSession } from '../session.ts';
import { useSandboxState } from '../strip/state.ts';

/** Sign, style and the word for who hears the page. */
const STATUSES = {
  passed: ['✓', 'pass', 'passed'],
  failed: ['✗', 'fail', 'failed'],
  unknown: ['?', 'incomplete', 'unknown'],
  untried: ['–', 'hint', 'not tried'],
  skipped: ['–', 'hint', 'not applicable'],
} as const;

/** Where each row is mended, if not in the requests. */
const PLACES: Readonly<Record<string, readonly [string, Parameters<typeof addressOf>[0], string?]>> = {
  failures: ['Drills', 'drills'],
  ids: ['The drill long-ids', 'drills', 'long-ids'],
};

export function Ready() {
  const { client } = useSession();
  const { sandbox } = useSandboxState();
  const { value, error, reload } = useLoaded(() => client.request('GET /ready'), [client, sandbox.value]);
  if (!value) return <Trouble error={error} retry={reload} />;
  return (
    <>
      <header class="view-head">
        <h1>Ready for production?</h1>
        <span class={`word ${value.verdict}`}>{sentence(value.title)}</span>
        <p class="hint">
          What the client of this sandbox has shown so far. The command tries the rest too, and writes a page for the
          owner of the API:
        </p>
      </header>
      <section class="card drill-group" aria-label="What was tried">
        <pre>npx petstore-sandbox ready --start --out ready.html -- npm test</pre>
        <ul>
          {value.rows.map(({ name, title, status, summary, finding, fix, more }) => {
            const [sign, style, word] = STATUSES[status === 'unknown' && finding === null ? 'untried' : status];
            const [place, view, part] = PLACES[name] ?? ['Requests', 'live'];
            return (
              <li key={name}>
                <span class={style}>
                  <span aria-hidden="true">{sign}</span>
                  <span class="unseen">{word}:</span>
                </span>
                <strong>{title}</strong>
                <span>
                  {word === 'not tried' && <span class="mark">not tried</span>} {sentence(visible(summary))}{' '}
                  {finding !== null && <span class="hint">{visible(`${finding}. ${fix ?? ''}`)}</span>}{' '}
                  {['failed', 'unknown'].includes(status) && <code>→ {more}</code>}
                </span>
                {status !== 'passed' && <a href={addressOf(view, part)}>{place}</a>}
              </li>
            );
          })}
        </ul>
      </section>
    </>
  );
}
