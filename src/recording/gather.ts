/** Gathers everything that a recording holds from a running server. */

import { interfaceVersion } from '../generated/facts.ts';
import { type Exchange, isSettled } from '../requests/exchange.ts';
import type { History } from '../requests/request-logs.ts';
import { shownExchange } from '../requests/shown.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { type Start, startAfter, toOwn } from '../store/start.ts';
import type { Store } from '../store/store.ts';
import type { Recording, RecordingExchange, RecordingFixture, RecordingStart, RecordingToWrite } from './recording.ts';
import { type Saved, type SavedLog, type SavedPoint, type SavedState, savedOf } from './saved.ts';

interface Sources {
  readonly sandbox: Sandbox;
  readonly store: Store;
  readonly history: History;
  /** The program's. */
  readonly version: string;
  /** Real time in milliseconds since 1970. */
  readonly now: number;
}

/** The exchanges of a history whose verdicts are final, the oldest first. */
export const exchangesOf = ({ requestLog }: History): readonly Exchange[] =>
  [...requestLog.newestFirst()].filter(isSettled).reverse();

/** A recording; it may contain secrets until it is written. */
export async function gather(
  { sandbox, store, history, version, now }: Sources,
  others: Pick<Recording, 'report' | 'drill'>,
): Promise<RecordingToWrite> {
  const { id, record } = sandbox;
  const present = store.state(id);
  const state = savedOf(present);
  const exchanges = exchangesOf(history);
  const start = startAfter(ofThisProcess(present.start), history.requestLog.gone);
  const zero = zeroOf(start, exchanges);
  return {
    program: version,
    specification: interfaceVersion,
    exportedAt: now,
    sandbox: { id, label: record.label, createdAt: record.createdAt },
    fixtures: await fixturesOf(state, store),
    state,
    start: startOf(start, exchanges, state, zero),
    exchanges: exchanges.map((exchange) => exchangeIn(exchange, zero)),
    dropped: history.requestLog.dropped,
    ...others,
  };
}

/** @param zero the time that counts as 0 in the file */
export const exchangeIn = (exchange: Exchange, zero: number): RecordingExchange => ({
  ...shownExchange(exchange),
  accepted: exchange.decision.kind === 'accepted',
  startMs: inRecording(exchange.startedMs, zero),
});

/** With the fixtures themselves: their files may be on another server. */
async function fixturesOf({ seeds }: Saved, store: Store): Promise<RecordingFixture<string>[]> {
  return Promise.all(
    [...seeds].map(async ([name, seed]) => {
      const { description, nextId, pets } = await store.seeded(seed);
      return { name, description, nextId, pets: Array.from(pets.each(), ({ json }) => json) };
    }),
  );
}

/**
 * The start of the exchanges that are still there. Its pets are those before the first change of which an exchange or a
 * step tells.
 * @param zero the time that counts as 0 in the recording
 */
function startOf(
  { steps, clock, faults, ms }: Start,
  exchanges: readonly Exchange[],
  state: SavedState<string>,
  zero: number,
): RecordingStart {
  const told = new Set<string>();
  for (const { changes, startedMs } of exchanges) {
    if (startedMs < ms) continue;
    for (const [name, ids] of Object.entries(changes)) for (const id of ids) told.add(`${name} ${id}`);
  }
  for (const step of steps) if ('pets' in step) told.add(`created ${step.pets[0]}`);
  return { ...settingsOf({ steps, clock, faults, ms }, zero), upTo: pointBefore(told, state) };
}

/** The start without its pets. */
const settingsOf = ({ steps, clock, faults, ms }: Start, zero: number): Omit<RecordingStart, 'upTo'> => ({
  atMs: inRecording(ms, zero),
  clock,
  faults,
  steps: steps.map(({ ms: at, ...change }) => ({ ...change, atMs: inRecording(at, zero) })),
});

/** With the times of this process, as exchanges have them. */
const ofThisProcess = ({ ms, steps, ...others }: Start): Start => ({
  ...others,
  ms: toOwn(ms),
  steps: steps.map((step) => ({ ...step, ms: toOwn(step.ms) })),
});

/** The moment that counts as 0: nothing in the file is earlier. */
const zeroOf = ({ ms }: Start, exchanges: readonly Exchange[]): number =>
  exchanges.reduce((least, { startedMs }) => Math.min(least, startedMs), ms);

/** Milliseconds with three decimals. */
const inRecording = (ms: number, zero: number): number => Math.round((ms - zero) * 1000) / 1000;

/** The point before the first of these changes. */
function pointBefore(told: ReadonlySet<string>, { logs, contents }: SavedState<string>): SavedPoint | null {
  let before = contents.upTo;
  for (let point = contents.upTo; point; ) {
    const { log } = point;
    const { from, changes } = logs[log] as SavedLog<string>;
    const start = from?.changes ?? 0;
    const first = changes.slice(0, point.changes - start).findIndex((text) => {
      const [, id] = /^\{"added":\{"id":(-?\d+)/.exec(text) as RegExpExecArray;
      return told.has(`created ${id}`);
    });
    if (first === 0) before = from;
    else if (first > 0) before = { log, changes: start + first };
    point = from;
  }
  return before;
}
