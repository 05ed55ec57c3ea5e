/** The sandbox's own clock. All times are in UTC, as in the API. */
import { useEffect, useState } from 'preact/hooks';
import type { Schema } from '../../../client/routes.ts';
import { operationNames, operations } from '../../../generated/facts.ts';
import { useAnnounce } from '../kit/announce.tsx';
import { useAction, useLoaded } from '../kit/async.ts';
import { Trouble } from '../kit/trouble.tsx';
import { useSession } from '../session.ts';
import type { Live } from '../traffic/live.ts';

type Clock = Schema<'Clock'>;

/** The first operation with a sunset date: noon of the day before, and the day itself. */
const REMOVED = operationNames.flatMap((name) => {
  const { sunset } = operations[name];
  return sunset === null ? [] : [{ name, at: Date.parse(sunset) }];
})[0];
const DAYS =
  REMOVED === undefined
    ? []
    : [
        ['Day before removal', new Date(REMOVED.at - 12 * 3_600_000).toISOString()] as const,
        ['Day of removal', new Date(REMOVED.at).toISOString()] as const,
      ];

const STEPS = [
  ['+ 1 hour', 'PT1H'],
  ['+ 1 day', 'P1D'],
  ['+ 30 days', 'P30D'],
] as const;

export function ClockCard({ live }: { live: Live }) {
  const { client } = useSession();
  const announce = useAnnounce();
  const acting = useAction();
  const clock = useLoaded(() => client.request('GET /clock'), [client, live.resets]);
  const act = (work: () => Promise<Clock>): void => {
    void acting.run(async () => {
      const now = await work();
      clock.set(now);
      announce(`The clock shows ${shown(Date.parse(now.now))}${now.frozen ? ', and stands still' : ''}.`);
    });
  };
  const setTo = (now: string): void => act(() => client.request('PUT /clock', { body: { now } }));
  const { value } = clock;
  return (
    <section class="card" aria-labelledby="clock">
      <h2 id="clock">Clock</h2>
      {value && <Face clock={value} />}
      <p class="hint">
        Only the API follows it.
        {REMOVED && (
          <>
            {' '}
            From {day.format(REMOVED.at)} on, <code>{REMOVED.name}</code> returns 410.
          </>
        )}
      </p>
      <Trouble error={acting.error ?? clock.error} />
      <div class="buttons">
        {DAYS.map(([label, now]) => (
          <button key={label} type="button" onClick={() => setTo(now)}>
            {label}
          </button>
        ))}
        {STEPS.map(([label, by]) => (
          <button
            key={label}
            type="button"
            onClick={() => act(() => client.request('POST /clock/advance', { body: { duration: by } }))}
          >
            {label}
          </button>
        ))}
        <button
          type="button"
          aria-pressed={value?.frozen ?? false}
          onClick={() => act(() => client.request('PUT /clock', { body: { frozen: !value?.frozen } }))}
        >
          Freeze
        </button>
        <button type="button" onClick={() => act(() => client.request('DELETE /clock'))}>
          Real time
        </button>
      </div>
      <TimeForm isBusy={acting.isBusy} onTime={setTo} />
    </section>
  );
}

function TimeForm({ isBusy, onTime }: { isBusy: boolean; onTime: (now: string) => void }) {
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const picked = String(new FormData(event.currentTarget as HTMLFormElement).get('now'));
    onTime(`${picked.length === 16 ? `${picked}:00` : picked}Z`);
  };
  return (
    <form onSubmit={submit} class="row with-button">
      <label>
        <span>Date and time, UTC</span>
        <input name="now" type="datetime-local" step="1" required />
      </label>
      <button type="submit" disabled={isBusy}>
        Set
      </button>
    </form>
  );
}

/** Advances locally: the server is not polled each second. */
function Face({ clock }: { clock: Clock }) {
  const [since, setSince] = useState(0);
  useEffect(() => {
    setSince(0);
    if (clock.frozen) return undefined;
    const started = performance.now();
    const timer = setInterval(() => setSince(performance.now() - started), 1000);
    return () => clearInterval(timer);
  }, [clock]);
  return (
    <p class="clock-face">
      <time>{shown(Date.parse(clock.now) + since)}</time>
      {clock.frozen && <span class="mark warn">stands still</span>}
    </p>
  );
}

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

const shown = (ms: number): string => `${inUtc.format(ms)} UTC`;

const inUtc = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZone: 'UTC',
});
