/** What stops working for this client: on the next date on which the API changes, or with a draft. */
import type { Schema } from '../../../client/routes.ts';
import { useAction, useLoaded } from '../kit/action.ts';
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
