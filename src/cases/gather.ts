/** Gathers everything that a case holds from a running server. */
import { type Exchange, isSettled } from '../exchange.ts';
import { interfaceVersion } from '../generated/facts.ts';
import type { History } from '../sandbox/journals.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { shownExchange } from '../sandbox/shown.ts';
import { petTexts } from '../store/all-pets.ts';
import type { FixtureShelf } from '../store/fixture.ts';
import type { Saved } from '../store/saved.ts';
import type { Store } from '../store/store.ts';
import type { Case, CaseExchange, CaseFixture, CaseToWrite } from './case.ts';
import { inCase, startOf, zeroOf } from './start.ts';

export interface Sources {
  readonly sandbox: Sandbox;
  readonly store: Store;
  readonly fixtures: FixtureShelf;
  readonly history: History;
  /** The program's. */
  readonly version: string;
  /** Real time in milliseconds since 1970. */
  readonly now: number;
}

/** The exchanges of a history whose verdicts are final, the oldest first. */
export const exchangesOf = ({ journal }: History): readonly Exchange[] =>
  [...journal.newestFirst()].filter(isSettled).reverse();

/** A case; it may contain secrets until it is written. */
export async function gather(
  { sandbox, store, fixtures, history, version, now }: Sources,
  others: Pick<Case, 'report' | 'drill'>,
): Promise<CaseToWrite> {
  const { id, record, faults, trail } = sandbox;
  const state = { ...(await store.save(id)), faults: faults.rules };
  const exchanges = exchangesOf(history);
  const start = trail.startAfter(history.journal.gone);
  const zero = zeroOf(start, exchanges);
  return {
    program: version,
    specification: interfaceVersion,
    exportedAt: now,
    sandbox: { id, label: record.label, createdAt: record.createdAt },
    fixtures: await fixturesOf(state, fixtures),
    state,
    start: startOf(start, exchanges, state, zero),
    exchanges: exchanges.map((exchange) => exchangeIn(exchange, zero)),
    dropped: history.journal.dropped,
    ...others,
  };
}

/** @param zero the time that counts as 0 in the file */
export const exchangeIn = (exchange: Exchange, zero: number): CaseExchange => ({
  ...shownExchange(exchange),
  accepted: exchange.decision.kind === 'accepted',
  startMs: inCase(exchange.startedMs, zero),
});

async function fixturesOf({ seeds }: Saved, shelf: FixtureShelf): Promise<CaseFixture<string>[]> {
  return Promise.all(
    [...seeds].map(async ([name, seed]) => {
      const { description, nextId, log } = typeof seed === 'string' ? await shelf.load(seed) : seed;
      return { name, description, nextId, pets: [...petTexts(log)] };
    }),
  );
}
