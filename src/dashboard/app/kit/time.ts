/** Formats times. They are in the viewer's own zone, except those of the sandbox's clock, which are in UTC. */

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
const dayAndTime = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});

/** `14:03:07`, preceded by the day unless it is today. */
export function timeOfDay(iso: string): string {
  const time = new Date(iso);
  const isToday = day.format(time) === day.format(new Date());
  return isToday ? clock.format(time) : `${day.format(time)}, ${clock.format(time)}`;
}

/** `2 Mar 2026, 09:30`. */
export const moment = (iso: string): string => dayAndTime.format(new Date(iso));

const inUtc = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
});

/** `2 Mar 2026, 09:30 UTC`: the time of a sandbox's clock. */
export const momentUtc = (iso: string): string => `${inUtc.format(new Date(iso))} UTC`;

/** `in 23 hours`; `never` for null. */
export function until(iso: string | null): string {
  if (iso === null) return 'never';
  const seconds = Math.round((Date.parse(iso) - Date.now()) / 1000);
  if (seconds <= 0) return 'now';
  const [unit, size] = (
    [
      ['day', 86_400],
      ['hour', 3600],
      ['minute', 60],
      ['second', 1],
    ] as const
  ).find(([, least]) => seconds >= least * 2 || least === 1) as ['day' | 'hour' | 'minute' | 'second', number];
  return relativeTime.format(Math.floor(seconds / size), unit);
}

const relativeTime = new Intl.RelativeTimeFormat('en-GB');

/** `1.2 ms`, `840 ms`, `2.4 s`. */
export function duration(ms: number): string {
  if (ms >= 1000) return `${(ms / 1000).toFixed(1)} s`;
  return ms < 10 ? `${ms.toFixed(1)} ms` : `${Math.round(ms)} ms`;
}

/** `1 request`, `2 requests`; with commas from a thousand on. */
export const many = (count: number, one: string, more = `${one}s`): string =>
  `${count.toLocaleString('en-GB')} ${count === 1 ? one : more}`;
