/** Formats times: in the viewer's own zone, and those of the sandbox's clock in UTC. */
const day = { day: 'numeric', month: 'short', year: 'numeric' } as const;
const minutes = { hour: '2-digit', minute: '2-digit' } as const;
const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en-GB', options);

const clock = format({ ...minutes, second: '2-digit' });
const date = format(day);
const inUtc = format({ ...day, ...minutes, second: '2-digit', timeZone: 'UTC' });
const relative = new Intl.RelativeTimeFormat('en-GB');

/** `14:03:07`, preceded by the day unless it is today. */
export function timeOfDay(iso: string): string {
  const time = new Date(iso);
  return date.format(time) === date.format() ? clock.format(time) : `${date.format(time)}, ${clock.format(time)}`;
}

/** `2 Mar 2026, 09:30:00 UTC`: the time of a sandbox's clock. */
export const momentUtc = (iso: string): string => `${inUtc.format(new Date(iso))} UTC`;

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** `in 23 hours`. */
export function until(iso: string): string {
  const seconds = Math.round((Date.parse(iso) - Date.now()) / 1000);
  if (seconds <= 0) return 'now';
  const [unit, size] = UNITS.find(([, least]) => seconds >= least * 2) ?? (['second', 1] as const);
  return relative.format(Math.floor(seconds / size), unit);
}

/** `1 request`, `2 requests`; with commas from a thousand on. */
export const many = (count: number, noun: string): string =>
  `${count.toLocaleString('en-GB')} ${noun}${count === 1 ? '' : 's'}`;
