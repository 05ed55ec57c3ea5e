import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../src/base/api/exchange.ts';
import { MAX_EXCHANGES } from '../../src/base/limits.ts';
import { RequestLog } from '../../src/traffic/request-log.ts';
import { createPet, listPets } from '../support/exchanges.ts';
import { randomFrom, runs } from '../support/random.ts';

const SANDBOX = 'sbx_one';

interface Modeled {
  readonly exchange: Exchange;
  isSettled: boolean;
}

const withNew = (model: readonly Modeled[], exchange: Exchange): Modeled[] =>
  [...model, { exchange, isSettled: false }].slice(-MAX_EXCHANGES);

/** The request log has what the model has. */
function compare(log: RequestLog, model: readonly Modeled[]): void {
  expect(idsIn(log.all())).toEqual(model.map(({ exchange }) => exchange.id));
  for (const [at, { exchange }] of model.entries()) expect(log.at(log.first + at)?.id).toBe(exchange.id);
  const oldest = model[0]?.exchange.id;
  if (oldest !== undefined) expect(log.numberOf(oldest)).toBe(log.first);
}

const idsIn = (exchanges: readonly Exchange[]): string[] => exchanges.map(({ id }) => id);

const seeds = Array.from({ length: runs(4) }, (_, index) => index + 1);

describe('a request log', () => {
  it.each(seeds)('has each exchange in its place, whatever is evicted, settled late or cleared (seed %i)', (seed) => {
    const random = randomFrom(seed);
    const log = new RequestLog(SANDBOX, { at: 0, ms: 0 });
    let model: Modeled[] = [];
    let longest = 0;
    let held = { log: log.settled(), settled: [] as string[] };
    for (let step = 0; step < 6_000; step++) {
      const what = random();
      const pending = model.filter(({ isSettled }) => !isSettled);
      if (what < 0.5) {
        model = withNew(model, listPets());
        log.add((model.at(-1) as Modeled).exchange);
      } else if (what < 0.98) {
        const late = pending[Math.floor(random() * Math.min(pending.length, 20))];
        if (!late) continue;
        log.settle(late.exchange);
        late.isSettled = true;
      } else if (what < 0.9997) {
        log.dropOldest();
        model.shift();
      } else {
        log.clear(0);
        model = pending;
      }
      longest = Math.max(longest, model.length);
      if (step % 300 === 0) compare(log, model);
      if (step % 900 > 0) continue;
      // Most of it was evicted or cleared since.
      expect(idsIn(held.log)).toEqual(held.settled);
      const settled = model.flatMap(({ exchange, isSettled }) => (isSettled ? exchange.id : []));
      held = { log: log.settled(), settled };
    }
    expect(longest).toBeGreaterThan(500);
  });

  it('counts a failure whose verdict comes after its exchange has left, unless the log was cleared since', () => {
    const log = new RequestLog(SANDBOX, { at: 0, ms: 0 });
    const late = [listPets(), listPets()] as const;
    for (const each of late) log.add(each);
    log.shrinkTo(0);
    const violations = [{ location: 'query/limit', rule: 'maximum', message: 'is wrong', side: 'request' }] as const;
    for (const each of late) Object.assign(each, { verdict: { violations, warnings: [] } });
    log.settle(late[0]);
    expect([log.dropped, log.runs().get('client, run 1')?.dropped]).toEqual(
      Array(2).fill({ requests: 2, failures: 1 }),
    );
    log.clear(0);
    log.settle(late[1]);
    expect(log.dropped).toEqual({ requests: 0, failures: 0 });
  });

  it('takes as much memory as its exchanges, and gives it back', () => {
    const log = new RequestLog(SANDBOX, { at: 0, ms: 0 });
    const body = 'x'.repeat(10_000);
    const add = (): void => {
      const exchange = createPet(undefined, { verdict: { violations: [], warnings: [] }, response: { body } });
      log.add(exchange);
      log.settle(exchange);
    };
    for (let n = 0; n < MAX_EXCHANGES; n++) add();
    const full = log.bytes;
    expect(full).toBeGreaterThan(MAX_EXCHANGES * body.length);
    expect(full).toBeLessThan(2.3 * MAX_EXCHANGES * body.length);
    for (let n = 0; n < 3 * MAX_EXCHANGES; n++) add();
    expect(Math.abs(log.bytes - full)).toBeLessThan(200_000);
    log.shrinkTo(full / 2);
    expect(log.bytes).toBeLessThanOrEqual(full / 2);
    expect(log.next - log.first).toBeGreaterThan(MAX_EXCHANGES / 3);
    log.clear(0);
    expect(log.bytes).toBe(0);
    expect(log.next).toBe(log.first);
  });
});
