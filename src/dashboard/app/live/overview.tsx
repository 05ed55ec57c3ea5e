/** All requests that are kept, in one line: where the failures are, at any number, and which part the time line shows. */
import { many } from '../kit/time.ts';
import { addressOf } from '../route.ts';
import { isFailing } from './filters.ts';
import type { Summary } from './kept.ts';

/** Places for requests; with more, several share one. */
const PLACES = 240;

interface Place {
  readonly entries: Summary[];
  failing: Summary | undefined;
}

interface OverviewProps {
  /** Newest first. */
  readonly entries: readonly Summary[];
  /** Requests of the selected run. */
  readonly scope: readonly Summary[];
}

export function Overview({ entries, scope }: OverviewProps) {
  const failing = entries.filter(isFailing).length;
  // With one run, the time line itself shows everything.
  if (scope.length === entries.length && entries.length < PLACES) return null;
  const places = placesOf(entries);
  const shown = new Set(scope);
  return (
    <section class="overview" aria-label="All requests">
      <span class="hint">all {entries.length.toLocaleString('en-GB')}</span>
      <ol>
        {places.map(({ entries: here, failing: bad }) => {
          const [first] = here as [Summary];
          const isShown = here.some((each) => shown.has(each));
          return (
            <li key={first.id} class={`${bad ? 'bad' : 'good'} ${isShown ? 'shown' : ''}`}>
              {bad && (
                <a href={addressOf('live', bad.id)} title={`${bad.method} ${bad.target}`}>
                  <span class="unseen">a failure: {bad.target}</span>
                </a>
              )}
            </li>
          );
        })}
      </ol>
      <span class="hint">
        {failing === 0 ? 'no failure' : many(failing, 'failure')} · <kbd>n</kbd> next
      </span>
    </section>
  );
}

/** Oldest first. */
function placesOf(entries: readonly Summary[]): readonly Place[] {
  const each = Math.max(1, Math.ceil(entries.length / PLACES));
  const places: Place[] = [];
  for (const [at, entry] of entries.toReversed().entries()) {
    if (at % each === 0) places.push({ entries: [], failing: undefined });
    const place = places.at(-1) as Place;
    place.entries.push(entry);
    if (isFailing(entry)) place.failing ??= entry;
  }
  return places;
}
