/** A sandbox's own clock. The petstore API follows it; keys and the control API follow the system clock. */
import { ApiError } from '../base/api/errors.ts';
import { isAndSent, quoted } from '../base/text.ts';
import type { ClockRecord } from './store/record.ts';

/** The range of a sandbox's clock, from the start of 1970 to the end of 9999, UTC: what RFC 3339 can express. */
const EARLIEST = 0;
const LATEST = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** The sandbox's time, in milliseconds since 1970; `now` is the real time. */
export const timeIn = (clock: ClockRecord | null, now: number): number =>
  clock === null ? now : Math.max(EARLIEST, Math.min(clock.frozenAt ?? now + clock.offset, LATEST));

/** A reading of a sandbox's clock; `now` in milliseconds since 1970. */
export interface ClockReading {
  readonly now: number;
  readonly frozen: boolean;
}

/** A change of a clock; omitted members stay unchanged. `now` in milliseconds since 1970. */
export interface ClockChange {
  readonly now?: number | undefined;
  readonly frozen?: boolean | undefined;
}

/**
 * The requested clock: either frozen, or advancing from there at the pace of real time.
 * @param real the real time in milliseconds since 1970
 * @throws {ApiError} `limit_reached` for a time before 1970 or after 9999
 */
export function changedClock(clock: ClockRecord | null, real: number, request: ClockChange): ClockRecord {
  const at = request.now ?? timeIn(clock, real);
  if (at < EARLIEST || at > LATEST) throw outOfRange('body/now');
  const frozen = request.frozen ?? isFrozen(clock);
  return frozen ? { offset: 0, frozenAt: at } : { offset: at - real, frozenAt: null };
}

export const isFrozen = (clock: ClockRecord | null): boolean => clock !== null && clock.frozenAt !== null;

/**
 * Parses an ISO 8601 duration (`P30D`, `P1M`, `PT1H30M`) into a function that adds it in the UTC calendar: a month
 * after 31 January is the last day of February. The library is loaded on first use.
 * @returns maps milliseconds since 1970 to the same
 * @throws {ApiError} `invalid_request` for an invalid or negative duration; `limit_reached` for a result after 9999
 */
export async function durationOf(text: string): Promise<(time: number) => number> {
  const { Temporal } = await import('temporal-polyfill');
  const duration = orReject(
    () => Temporal.Duration.from(text),
    () =>
      new ApiError(
        'invalid_request',
        `body/duration ${isAndSent('an ISO 8601 duration like P30D, P1M or PT1H30M', quoted(text, 60))}`,
      ),
  );
  if (duration.sign < 0) {
    throw new ApiError(
      'invalid_request',
      'body/duration must go forward; PUT /_sandbox/clock with now sets the clock back',
    );
  }
  return (time) => {
    const from = Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO('UTC');
    const to = orReject(
      () => from.add(duration).epochMilliseconds,
      () => outOfRange('body/duration'),
    );
    if (to > LATEST) throw outOfRange('body/duration');
    return to;
  };
}

/** Not `invalid_request`: whether a valid time is out of range depends on the clock, or on the zone. */
const outOfRange = (location: string): ApiError =>
  new ApiError('limit_reached', `${location}: the clock goes from 1970-01-01T00:00:00Z to the end of 9999, UTC`);

/** The library throws a RangeError for an unreadable text and for an unreachable time. */
function orReject<T>(attempt: () => T, rejection: () => ApiError): T {
  try {
    return attempt();
  } catch (error) {
    if (error instanceof RangeError) throw rejection();
    throw error;
  }
}
