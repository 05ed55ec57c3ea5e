/** What stops working for this client: on the next date on which the API changes, or with a draft. */
import { useEffect, useState } from 'preact/hooks';
import type { Schema } from '../../../client/routes.ts';
import { textOf } from '../files.tsx';
import { useAction, useLoaded } from '../kit/action.ts';
import { FileField } from '../kit/form.tsx';
import { many } from '../kit/time.ts';
import { Trouble } from '../kit/trouble.tsx';
import { visible } from '../kit/visible.ts';
import { addressOf } from '../route.ts';
import { useSession } from '../session.ts';
import { useSandboxState } from '../strip/state.ts';

export function NextChange() {
  const { client } = useSession();
  const { clock, issues } = useSandboxState();
  const setting = useAction();
  const { value, error } = useLoaded(
    () => client.request('GET /preview'),
    [client, issues.value, clock.value?.now.slice(0, 10)],
  );
  if (!value) return <Trouble error={error} />;
  const { date, daysLeft } = value;
  if (date === null) return null;
  const goThere = (): void =>
    void setting.run(async () => {
      await client.request('PUT /clock', { body: { now: `${date}T00:00:00Z` } });
      return `The clock of the sandbox shows ${date}.`;
    });
  return (
    <section class="card" aria-labelledby="next-change">
      <h2 id="next-change">
        Next change: {date} <span class="hint">{many(daysLeft ?? 0, 'day')} left</span>
      </h2>
      <Breaks preview={value} />
      <button type="button" disabled={setting.isBusy} onClick={goThere}>
        Set the clock to that day
      </button>
      <Trouble error={setting.error} />
    </section>
  );
}

/** Beyond this, a server with the default limit ends the connection before its error is read. */
const MOST_BYTES = 16 * 1024 * 1024;
/** Its extension, or how most of them begin: its program may have added members before the log. */
const isHar = (name: string, text: string): boolean => /\.har$/i.test(name) || /^\s*\{\s*"log"\s*:/.test(text);

/** What breaks with a draft, or in a HAR, that is chosen here or dropped on the view. */
export function FromFile() {
  const { client } = useSession();
  const { run, isBusy, error } = useAction();
  const [answer, setAnswer] = useState<string | undefined>(undefined);
  const take = (file: File, another?: File): void =>
    void run(async () => {
      setAnswer(undefined);
      if (another) throw new Error('Choose one file.');
      const text = await textOf(file, MOST_BYTES, 'for a HAR, run petstore-sandbox report --har FILE.');
      const [route, type] = isHar(file.name, text)
        ? (['POST /report', 'application/json'] as const)
        : (['POST /preview', 'application/yaml'] as const);
      const found = await client.sendFile(route, text, type, { format: 'text' });
      setAnswer(`${visible(file.name)}\n\n${found}`);
      return `Checked ${visible(file.name)}.`;
    });
  useEffect(() => {
    const drop = (event: DragEvent): void => {
      const files = [...(event.dataTransfer?.files ?? [])];
      const [file, another] = files;
      // A recording opens as on every view.
      if (!file || files.some(({ name }) => name.endsWith('.jsonl'))) return;
      event.preventDefault();
      take(file, another);
    };
    document.addEventListener('drop', drop, true);
    return () => document.removeEventListener('drop', drop, true);
  }, [client]);
  return (
    <section class="card" aria-labelledby="from-file">
      <h2 id="from-file">A draft, or recorded traffic</h2>
      <FileField label="Draft or HAR…" accept=".yaml,.yml,.json,.har" isBusy={isBusy} onChoose={take} />
      <p class="hint">Or drop the file on this view. Nothing of it is kept.</p>
      <Trouble error={error} />
      {answer !== undefined && <pre>{answer}</pre>}
    </section>
  );
}

const Breaks = ({ preview: { requests, breaks, unused } }: { preview: Schema<'Preview'> }) => (
  <>
    <p>
      {requests.failing === 0
        ? `None of your ${many(requests.total, 'request')} stops working.`
        : `${requests.failing} of your ${many(requests.total, 'request')} ${requests.failing === 1 ? 'stops' : 'stop'} working.`}
    </p>
    <ul class="entries">
      {breaks.map(({ operation, message, instead, count, last }) => (
        <li key={`${operation} ${message}`}>
          <span class="entry">
            <a href={addressOf('traffic', last)}>
              {operation}: {visible(message)}
            </a>
            {instead !== null && (
              <small>
                Send <code>{visible(instead)}</code>
              </small>
            )}
          </span>
          <span class="mark warn">× {count}</span>
        </li>
      ))}
    </ul>
    {unused.length > 0 && <p class="hint">Not used by your client: {unused.map(visible).join('; ')}</p>}
  </>
);
