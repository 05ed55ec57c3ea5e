/** A sandbox's own time. The interface follows it; keys and controls follow the real one. */
import { ApiError } from '../errors.ts';
import type { ClockRecord } from '../store/record.ts';
import { quoted } from '../wording.ts';

/** A sandbox's time moves from the beginning of 1970 to the end of 9999, UTC: what RFC 3339 can write. */
const EARLIEST = 0;
const LATEST = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** The sandbox's time, in milliseconds since 1970; `now` is the real one. */
export const timeIn = (clock: ClockRecord | null, now: number): number =>
  clock === null ? now : Math.min(clock.frozenAt ?? now + clock.offset, LATEST);

/** What a clock shall be; what is left out stays as it is. `now` in milliseconds since 1970. */
export interface ClockAsk {
  readonly now?: number | undefined;
  readonly frozen?: boolean | undefined;
}

/**
 * The clock as it is asked for. Frozen, it stands still; else it goes on from there at the pace of the real one.
 *
 * @param real the real time in milliseconds since 1970
 * @throws {ApiError} `limit_reached` for a time before 1970 or after 9999
 */
export function setClock(clock: ClockRecord | null, real: number, ask: ClockAsk): ClockRecord {
  const at = ask.now ?? timeIn(clock, real);
  if (at < EARLIEST || at > LATEST) throw outOfRange('body/now');
  const frozen = ask.frozen ?? isFrozen(clock);
  return frozen ? { offset: 0, frozenAt: at } : { offset: at - real, frozenAt: null };
}

export const isFrozen = (clock: ClockRecord | null): boolean => clock !== null && clock.frozenAt !== null;

/**
 * What a time becomes by an ISO 8601 duration (`P30D`, `P1M`, `PT1H30M`), counted in UTC by the calendar: a month after
 * 31 January is the last of February. The library is loaded when it is first needed.
 *
 * @returns from milliseconds since 1970 to the same
 * @throws {ApiError} `invalid_request` for what is no such duration or goes back; `limit_reached` for what leads beyond
 *   9999
 */
export async function durationOf(text: string): Promise<(time: number) => number> {
  const { Temporal } = await import('temporal-polyfill');
  const duration = orRefuse(
    () => Temporal.Duration.from(text),
    () =>
      new ApiError(
        'invalid_request',
        `body/by: must be an ISO 8601 duration like P30D, P1M or PT1H30M; got ${quoted(text, 60)}`,
      ),
  );
  if (duration.sign < 0) {
    throw new ApiError('invalid_request', 'body/by: must go forward; PUT /_sandbox/clock with now sets the clock back');
  }
  return (time) => {
    const from = Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO('UTC');
    const to = orRefuse(
      () => from.add(duration).epochMilliseconds,
      () => outOfRange('body/by'),
    );
    if (to > LATEST) throw outOfRange('body/by');
    return to;
  };
}

/** What can be written is no wrong request: whether it leads out of the range depends on the clock, or on the zone. */
const outOfRange = (place: string): ApiError =>
  new ApiError('limit_reached', `${place}: the clock goes from 1970-01-01T00:00:00Z to the end of 9999, UTC`);

/** The library throws a RangeError at a text that it cannot read and at a time that it cannot reach. */
function orRefuse<T>(attempt: () => T, refusal: () => ApiError): T {
  try {
    return attempt();
  } catch (error) {
    if (error instanceof RangeError) throw refusal();
    throw error;
  }
}
