/** The state of a sandbox is the fold of its journal: the shortest journal of any state leads to that state again. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { petOf } from '../../../src/base/api/pet.ts';
import { isoTime } from '../../../src/base/time.ts';
import {
  type ChangedFields,
  type Entry,
  entryText,
  fixtureNameIn,
  piecesOfLine,
  readEntry,
  withFixture,
} from '../../../src/sandbox/store/entries.ts';
import { type Fixture, inlineFixture } from '../../../src/sandbox/store/fixture.ts';
import { apply, changeOf, entriesOf, type State } from '../../../src/sandbox/store/state.ts';
import { runs } from '../../support/random.ts';
import { limit } from '../../support/slow.ts';
import { AT, keyRecord, sandboxRecord } from './support.ts';

const shownSeed = (seed: Fixture): unknown =>
  !seed.isInline ? seed.name : [seed.nextId, ...Array.from(seed.pets.each(), ({ json }) => json)];

/** All of a state, for comparison. */
const shown = ({ record, seed, own, snapshots }: State): unknown => ({
  ...{ record, seed: shownSeed(seed) },
  own: Array.from(own.each(), ({ json, status }) => [json, status]),
  snapshots: [...snapshots].map(([name, snapshot]) => [
    name,
    { ...snapshot, seed: shownSeed(snapshot.seed), own: Array.from(snapshot.own.each(), ({ json }) => json) },
  ]),
});

/** Reads a log as the next start does. */
const folded = (lines: readonly string[]): State =>
  lines.reduce<State | undefined>((state, line) => {
    const entry = readEntry(line);
    const name = fixtureNameIn(entry);
    return apply(state, withFixture(entry, name === undefined ? undefined : named(name)));
  }, undefined) as State;

const named = (name: string): Fixture => ({ ...inlineFixture({ nextId: 1n, pets: [] }), name, isInline: false });

const { id, createdAt, preconfigured, ...set } = sandboxRecord();
const BEGIN: Entry = { begin: { id, createdAt, preconfigured }, seed: named('default'), set };
const rule = (n: number) => ({ id: `flt_${n}`, status: 503, when: 'before' as const, triggered: 0, drawn: 0 });
const INLINE = inlineFixture({ nextId: 50n, pets: [petOf(-(2n ** 63n), { name: '"\\ 猫', categoryId: 2n ** 62n })] });

/** Something that may be asked of a sandbox: an entry, by the state that it meets. */
type Asked = (state: State) => Entry;
const asking = (most: number, entry: (n: number, state: State) => Entry): fc.Arbitrary<Asked> =>
  fc.nat(most).map((n) => (state) => entry(n, state));
/** A change of the record. */
const setting = (set: (n: number, state: State) => ChangedFields): fc.Arbitrary<Asked> =>
  asking(9, (n, state) => ({ set: set(n, state) }));

function petsAfter({ own }: State, count: number) {
  const first = (own.lastId ?? 12n) + 1n;
  return Array.from({ length: count }, (_, i) =>
    petOf(first + BigInt(i), { name: `p${i}`, categoryId: 1n, ...(i % 2 === 0 && { status: 'sold' as const }) }),
  );
}

const NO_RESULT = { verdict: 'pass', reason: null, petName: null, outcome: null, checks: [], requests: [] } as const;
const DRILL = { drill: 'retries', startedAt: isoTime(AT), petName: 'Rex', outcome: null, faults: [] } as const;
const SEEN = { drawn: 2, seen: 3, window: { startedAt: 1, passed: 2 } };

const asked = fc.oneof(
  asking(58, (n, state) => ({ pets: petsAfter(state, n + 1) })),
  setting((n) => ({ label: `label ${n}`, expiresAt: n === 0 ? null : AT + n })),
  setting((n) => ({ clock: n === 0 ? null : { offset: n, frozenAt: null } })),
  setting((n) => ({ faults: Array.from({ length: n }, (_, i) => rule(i)) })),
  setting((n, { record }) => ({ keys: [...record.keys.slice(-3), keyRecord({ label: `${n}` })] })),
  setting((n) => ({ drill: n === 0 ? null : DRILL })),
  setting((n) => ({ drillResults: [{ drill: 'outage', startedAt: isoTime(AT + n), ...NO_RESULT }] })),
  asking(9, (n) => ({ counts: { flt_0: { triggered: n, ...SEEN } } })),
  asking(4, (n) => ({ snapshot: `s${n}`, createdAt: AT + n })),
  asking(4, (n) => ({ drop: `s${n}` })),
  asking(4, (n) => ({ reset: { snapshot: `s${n}` } })),
  asking(1, () => ({ reset: 'again' })),
  asking(1, (n) => ({ reset: { seed: named(n === 0 ? 'empty' : 'default') } })),
  asking(1, () => ({ reset: { seed: INLINE } })),
);

describe('a log', () => {
  it('leads to the same state when it is read again, and so does the shortest one', { timeout: limit(120_000) }, () => {
    fc.assert(
      fc.property(fc.array(asked, { maxLength: 40 }), (all) => {
        let state = apply(undefined, BEGIN);
        const log = [entryText(BEGIN)];
        for (const each of all) {
          const entry = each(state);
          const before = shown(state);
          try {
            state = apply(state, entry);
            log.push(entryText(entry));
          } catch (error) {
            expect(error).toMatchObject({ code: expect.stringMatching(/conflict|not_found/) });
            expect(shown(state)).toEqual(before);
          }
        }
        expect(shown(folded(log))).toEqual(shown(state));
        const shortest = Array.from(entriesOf(state), entryText);
        expect(Array.from(entriesOf(state), (entry) => [...piecesOfLine(entry)].join(''))).toEqual(
          shortest.map((line) => `${line}\n`),
        );
        expect(shown(folded(shortest))).toEqual(shown(state));
        // Of any state, the shortest log of its shortest log is itself.
        expect(Array.from(entriesOf(folded(shortest)), entryText)).toEqual(shortest);
      }),
      { numRuns: runs(400) },
    );
  });

  it('grows by what changed of a record, and by counts where only these did', () => {
    const { record } = apply(undefined, { ...BEGIN, set: { ...set, faults: [rule(1), rule(2)] } });
    expect(changeOf(record, {})).toBeUndefined();
    expect(changeOf(record, { label: 'x' })).toEqual({ set: { label: 'x' } });
    const acted = { ...rule(2), triggered: 1 };
    expect(changeOf(record, { faults: [record.faults[0] as never, acted] })).toEqual({
      counts: { flt_2: { triggered: 1, drawn: 0 } },
    });
    expect(changeOf(record, { faults: [acted] })).toEqual({ set: { faults: [acted] } });
  });
});
