/**
 * The time line: a lane for each operation, a bar for each request, retries joined by arcs, runs as bands, and what
 * comes after now. Quiet times are cut short. It is a list of links, in which the arrow keys go from one to the next.
 */
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { operationNames } from '../../../generated/facts.ts';
import { timeOfDay } from '../kit/time.ts';
import { visible } from '../kit/visible.ts';
import { addressOf, type Filter, setFilter } from '../route.ts';
import { describeRule, isUsedUp } from '../setup/fault-rules.ts';
import { useSandboxState } from '../strip/state.ts';
import { hasViolation, isRejected, isRemoved, type Retry, retriesIn } from './filters.ts';
import { failingWords } from './future.ts';
import type { Summary } from './kept.ts';

/** Pixels: of a lane, above the first one, of a bar, and between two bars. */
const LANE = 32;
const ABOVE = 30;
const BAR = 18;
const WIDEST = 60;
const STEP = 8;
const QUIET = 48;
/** Width of the words at an arc. */
const TEXT = 150;
const BETWEEN_RUNS = 40;
/** Milliseconds of a pixel. */
const PER_PIXEL = 8;
/** Bars that exist outside of what is seen, in pixels. */
const MARGIN = 400;

interface Bar {
  readonly entry: Summary;
  readonly x: number;
  readonly width: number;
}

interface TimeLineProps {
  /** Newest first. */
  readonly entries: readonly Summary[];
  readonly open: string | undefined;
  readonly filter: Filter;
}

export function TimeLine({ entries, open, filter }: TimeLineProps) {
  const { future, faults } = useSandboxState();
  const scroller = useRef<HTMLDivElement>(null);
  const [focused, setFocused] = useState<string | undefined>(undefined);
  const [seen, setSeen] = useState({ left: 0, width: 2000 });
  const bars = useMemo(() => placed(entries), [entries]);
  const byId = useMemo(() => new Map(bars.map((bar) => [bar.entry.id, bar])), [bars]);
  const retries = useMemo(() => retriesIn(entries), [entries]);
  const runs = useMemo(() => bandsOf(bars), [bars]);
  const lanes = useMemo(
    () => [...operationNames, ...(entries.some(({ operation }) => operation === null) ? ['none'] : [])],
    [entries],
  );
  const failing = future.looked && new Set(future.looked.preview.failing.map(({ request }) => request));
  const length = (bars.at(-1)?.x ?? 0) + (bars.at(-1)?.width ?? 0) + STEP;
  const height = ABOVE + lanes.length * LANE;
  const look = (): void => {
    const { current } = scroller;
    if (current) setSeen({ left: current.scrollLeft, width: current.clientWidth });
  };
  // The newest stays in sight, unless the reader went back.
  const wasAtEnd = useRef(true);
  useLayoutEffect(() => {
    const { current } = scroller;
    if (current && wasAtEnd.current) current.scrollLeft = current.scrollWidth;
    look();
  }, [length]);
  const show = (id: string | undefined): void => {
    const bar = byId.get(id ?? '');
    const { current } = scroller;
    if (!bar || !current) return;
    const isSeen = bar.x > current.scrollLeft && bar.x + bar.width < current.scrollLeft + current.clientWidth;
    if (!isSeen) current.scrollLeft = bar.x - current.clientWidth / 2;
  };
  useLayoutEffect(() => show(open), [open]);
  const isNear = ({ x, width }: Pick<Bar, 'x' | 'width'>): boolean =>
    x + width > seen.left - MARGIN && x < seen.left + seen.width + MARGIN;
  // The one stop for Tab. What is open may be no bar: a new request, or one that the log no longer holds.
  const current = [focused, open].find((id) => byId.has(id ?? '')) ?? bars.at(-1)?.entry.id;
  const step = (event: KeyboardEvent): void => {
    const by = { ArrowRight: 1, ArrowLeft: -1, ArrowUp: -1, ArrowDown: 1, Home: -bars.length, End: bars.length }[
      event.key
    ];
    if (by === undefined) return;
    event.preventDefault();
    const from = bars.findIndex(({ entry }) => entry.id === current);
    const next = bars[Math.min(bars.length - 1, Math.max(0, from + by))]?.entry.id;
    setFocused(next);
    show(next);
    focusSoon(scroller.current, `[data-id="${next}"]`);
  };
  return (
    <section class="timeline-view" aria-label="Time line">
      <ul class="lanes" aria-label="Operations" style={{ paddingTop: `${ABOVE}px` }}>
        {lanes.map((lane) => (
          <li key={lane}>
            <button
              type="button"
              class="plain"
              aria-pressed={filter.operation === lane}
              onClick={() => setFilter({ ...filter, operation: filter.operation === lane ? '' : lane })}
            >
              {lane === 'none' ? 'no operation' : lane}
            </button>
          </li>
        ))}
      </ul>
      <div
        ref={scroller}
        class="past"
        onScroll={({ currentTarget }) => {
          const { scrollLeft, clientWidth, scrollWidth } = currentTarget;
          wasAtEnd.current = scrollLeft + clientWidth > scrollWidth - QUIET;
          look();
        }}
      >
        <div class="inside" style={{ width: `${length}px`, height: `${height + 24}px` }}>
          {runs.filter(isNear).map(({ run, x, width, at }, index) => (
            <button
              key={run}
              type="button"
              class={`band ${index % 2 === 0 ? 'even' : ''}`}
              style={{ left: `${x}px`, width: `${width}px` }}
              aria-pressed={filter.run === run}
              title={`Run ${visible(run)}, from ${timeOfDay(at)}`}
              onClick={() => setFilter({ ...filter, run: filter.run === run ? '' : run })}
            >
              {visible(run)}
            </button>
          ))}
          <Arcs retries={retries} byId={byId} lanes={lanes} isNear={isNear} width={length} height={height} />
          <ol aria-label="Requests by time, the oldest first" onKeyDown={step}>
            {bars
              .filter((bar) => isNear(bar) || bar.entry.id === current)
              .map(({ entry, x, width }) => (
                <li key={entry.id}>
                  <a
                    href={addressOf('live', entry.id)}
                    data-id={entry.id}
                    class={`bar-of ${failing?.has(entry.id) ? 'bad' : lookOf(entry)}`}
                    aria-current={entry.id === open ? 'true' : undefined}
                    tabIndex={entry.id === current ? 0 : -1}
                    style={{ left: `${x}px`, width: `${width}px`, top: `${topOf(entry, lanes)}px` }}
                    title={labelOf(entry, failing?.has(entry.id))}
                    onFocus={() => setFocused(entry.id)}
                  >
                    <span class="unseen">{labelOf(entry, failing?.has(entry.id))}</span>
                  </a>
                </li>
              ))}
          </ol>
        </div>
      </div>
      <ul class="waiting" aria-label="Faults">
        {(faults.value ?? []).map((rule) => (
          <li
            key={rule.id}
            class={isUsedUp(rule) ? 'struck' : 'fault'}
            style={{ top: `${ABOVE + Math.max(0, lanes.indexOf(rule.operation ?? '')) * LANE}px` }}
            title={describeRule(rule)}
          >
            <span class="unseen">{isUsedUp(rule) ? 'used up: ' : 'waits: '}</span>⚡{' '}
            {rule.status ?? rule.connection ?? (rule.delayMs === undefined ? 'fault' : `${rule.delayMs} ms`)}
          </li>
        ))}
      </ul>
      <Marks />
    </section>
  );
}

/** Keys may come faster than frames: an element that is there already gets the focus at once. */
export function focusSoon(inside: HTMLElement | null, selector: string): void {
  const focus = (): boolean => {
    const element = inside?.querySelector<HTMLElement>(selector);
    element?.focus();
    return element !== null && element !== undefined;
  };
  if (!focus()) requestAnimationFrame(focus);
}

/** Right of now: the days and drafts that change something. Now is dragged onto one, or one is chosen. */
function Marks() {
  const { future } = useSandboxState();
  const { changes, looked, look } = future;
  const marks = useRef<HTMLDivElement>(null);
  const drag = ({ clientX }: PointerEvent): void => {
    const under = [...(marks.current?.querySelectorAll<HTMLElement>('[data-name]') ?? [])].filter(
      (each) => each.getBoundingClientRect().left <= clientX,
    );
    look(under.at(-1)?.dataset['name']);
  };
  return (
    <div ref={marks} class="future">
      <span
        class="now"
        aria-hidden="true"
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={(event) => event.currentTarget.hasPointerCapture(event.pointerId) && drag(event)}
      >
        ◂ now ▸
      </span>
      {changes.map(({ name, preview }) => (
        <button
          key={name}
          type="button"
          data-name={name}
          class={`change ${preview.requests.failing > 0 ? 'bad' : ''}`}
          aria-pressed={looked?.name === name}
          onClick={() => look(looked?.name === name ? undefined : name)}
        >
          <strong>{visible(name)}</strong>
          <span>{failingWords(preview)}</span>
          <small>{visible(preview.failing[0]?.message ?? '')}</small>
        </button>
      ))}
      <small class="hint">Drop a draft here, to see what it breaks</small>
    </div>
  );
}

interface ArcsProps {
  readonly retries: readonly Retry[];
  readonly byId: ReadonlyMap<string, Bar>;
  readonly lanes: readonly string[];
  readonly isNear: (bar: Bar) => boolean;
  readonly width: number;
  readonly height: number;
}

/** Decoration: the details of a request say the same. */
const Arcs = ({ retries, byId, lanes, isNear, width, height }: ArcsProps) => (
  <svg class="arcs" width={width} height={height} aria-hidden="true">
    {retries.map(({ from, to, words, isTwice }) => {
      const [a, b] = [byId.get(from.id), byId.get(to.id)];
      if (!a || !b || !(isNear(a) || isNear(b))) return null;
      const y = topOf(to, lanes);
      const [left, right] = [a.x + a.width / 2, b.x + b.width / 2];
      return (
        <g key={to.id} class={isTwice ? 'bad' : 'fault'}>
          <path d={`M${left} ${y} Q${(left + right) / 2} ${y - 22} ${right} ${y}`} />
          <text x={Math.max(4, Math.min(left, width - TEXT))} y={y - 3}>
            {words}
          </text>
        </g>
      );
    })}
  </svg>
);

const topOf = ({ operation }: Summary, lanes: readonly string[]): number =>
  ABOVE + Math.max(0, lanes.indexOf(operation ?? 'none')) * LANE + (LANE - BAR) / 2;

/** The places of the bars, oldest first. */
function placed(entries: readonly Summary[]): readonly Bar[] {
  const bars: Bar[] = [];
  let x = STEP;
  let before: Summary | undefined;
  for (const entry of entries.toReversed()) {
    const passed = before === undefined ? 0 : Date.parse(entry.at) - Date.parse(before.at);
    const isOther = before !== undefined && before.run !== entry.run && entry.run !== null;
    if (before) x += Math.min(QUIET, Math.max(STEP, passed / PER_PIXEL)) + (isOther ? BETWEEN_RUNS : 0);
    const width = Math.min(WIDEST, Math.max(BAR, entry.durationMs / PER_PIXEL));
    bars.push({ entry, x, width });
    x += width;
    before = entry;
  }
  return bars;
}

interface Band extends Pick<Bar, 'x' | 'width'> {
  readonly run: string;
  readonly at: string;
}

/** From the first request of a run to its last. */
function bandsOf(bars: readonly Bar[]): readonly Band[] {
  const bands = new Map<string, Band>();
  for (const { entry, x, width } of bars) {
    if (entry.run === null) continue;
    const { x: from = x - STEP / 2, at = entry.at } = bands.get(entry.run) ?? {};
    bands.set(entry.run, { run: entry.run, at, x: from, width: x + width + STEP / 2 - from });
  }
  return [...bands.values()];
}

/** A color with a form: never a color alone. */
function lookOf(entry: Summary): string {
  if (entry.fromDashboard) return 'own';
  if (hasViolation(entry) || isRemoved(entry)) return 'bad';
  if (entry.injectedFault !== null || entry.delayMs > 0) return 'fault';
  if (entry.kind === 'notValidated') return 'dashed';
  return isRejected(entry) || entry.warnings.length > 0 ? 'warn' : 'good';
}

function labelOf({ method, target, status, remarks, at }: Summary, fails: boolean | undefined): string {
  const said = fails === undefined ? remarks.map(({ text }) => text).join(', ') : fails ? 'fails then' : 'as today';
  return visible(`${method} ${target} ${status || 'cut'}, ${said}, ${timeOfDay(at)}`);
}
