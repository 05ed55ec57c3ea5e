/** Times as text, and back. */

/** `2026-11-20T10:00:00.000Z` for a time in milliseconds since 1970 (RFC 3339, always UTC). */
export const isoTime = (time: number): string => new Date(time).toISOString();

/** Like `isoTime`, with `null` for a time that never comes. */
export const isoTimeOrNull = (time: number | null): string | null => (time === null ? null : isoTime(time));

/** The start of a day (`2030-12-05`) in UTC, in milliseconds since 1970; `undefined` if there is no such day. */
export const startOfDay = (date: string): number | undefined => readTime(`${date}T00:00:00Z`);

/** The day of a time in UTC, `2030-12-05`; other texts as they are. */
export function dayOf(text: string): string {
  const time = readTime(text);
  return time === undefined ? text : isoTime(time).slice(0, 10);
}

/** A day as people write it: `5 December 2030`. */
export const dayInWords = (date: string): string =>
  new Date(date).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** What a person gives as a time, as RFC 3339 has it: a date is the start of its day in UTC. */
export const withTime = (text: string): string => (/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text);

/**
 * Parses an RFC 3339 time with a zone (`2030-12-05T00:00:00Z`, `2030-12-05T01:00:00+01:00`) into milliseconds since
 * 1970; `undefined` if the text has another form or names a day that does not exist.
 */
export function readTime(text: string): number | undefined {
  const parts =
    /^(\d{4}-\d{2}-\d{2})[Tt]([01]\d|2[0-3])(:[0-5]\d){2}(\.\d{1,9})?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$/.exec(text);
  if (!parts) return undefined;
  const time = Date.parse(text.toUpperCase());
  if (Number.isNaN(time)) return undefined;
  // `Date.parse` turns 30 February into 2 March, so the day is compared after the conversion.
  const day = Date.parse(`${parts[1]}T00:00:00Z`);
  return new Date(day).toISOString().startsWith(parts[1] ?? '') ? time : undefined;
}

/** Whether a time can be written again: in UTC its year has four digits, as RFC 3339 asks for. */
export function isWritableTime(text: string): boolean {
  const time = readTime(text);
  return time !== undefined && isoTime(time).length === '2030-12-05T00:00:00.000Z'.length;
}

/** The formats of times in what is stored. */
export const writtenTimes = { 'date-time': isWritableTime, 'time-with-zone': isWritableTime } as const;
