import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { type Exchange, NO_EFFECT } from '../../src/base/api/exchange.ts';
import { MAX_EXCHANGES } from '../../src/base/limits.ts';
import { RequestLog } from '../../src/traffic/request-log.ts';
import { createPet, listPets } from '../support/exchanges.ts';
import { randomFrom } from '../support/random.ts';
import { runs } from '../support/runs.ts';

const SANDBOX = 'sbx_one';

const TEXTS = ['', 'x', '\n', '…', '"', 'naïve 🐕', '\u0000', 'x'.repeat(300), '🐕'.repeat(2_000), '\ud83d half'];

/** An exchange with any combination of what exchanges may have. */
function anyExchange(random: () => number): Exchange {
  const any = <T>(...of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;
  const text = (): string => any(...TEXTS);
  const make = any(listPets, createPet);
  return make(undefined, {
    operation: any('listPets', 'createPet', 'getPet', undefined),
    at: any(0, 1_795_000_000_000, 253_402_300_799_999),
    startedMs: any(0, 12.000_001, -5.5),
    durationMs: random() * 100,
    respondedAt: any(0, 1_795_000_000_001),
    disconnectedAt: any(undefined, undefined, 1_795_000_000_002),
    delayMs: any(0, 250),
    changes: any(NO_EFFECT, { created: [1n] }, { created: [9_223_372_036_854_775_807n, -9_223_372_036_854_775_808n] }),
    requestHeaders: any([], ['User-Agent', text()], ['Accept', '*/*', 'Prefer', text()]),
    otherHeaders: any(undefined, [], ['host', text()]),
    responseHeaders: any([], ['Allow', 'GET'], ['Retry-After', '1', 'Link', text()]),
    decision: { kind: any('accepted', 'undecided') },
    injectedFault: any(undefined, undefined, { when: 'after', status: 503 }),
    verdict: { violations: [], warnings: [] },
    truncated: any(undefined, undefined, { request: random() < 0.5, response: random() < 0.5, responseBytes: 70_000 }),
    request: {
      method: any('GET', 'POST', 'PROPFIND'),
      target: `/v1/pets?${text()}`,
      authorization: any(undefined, 'Bearer …', 'bearer …'),
      contentType: any(undefined, '', 'application/json'),
      bodyBytes: any(0, 12),
      body: any(undefined, '', wellFormed(text())),
      bodyUnread: random() < 0.2,
    },
    response: { status: any(0, 200, 404), contentType: any(undefined, 'application/json'), body: wellFormed(text()) },
  });
}

/** Bodies come as UTF-8, which has no half characters. */
const wellFormed = (text: string): string => Buffer.from(text).toString();

/** What a request log has of an exchange. */
const kept = ({ place: _, ...exchange }: Exchange): object => ({
  ...{ malformed: undefined, run: undefined },
  ...exchange,
  sandbox: SANDBOX,
  owner: SANDBOX,
  specification: 'petstore',
});

interface Modeled {
  readonly exchange: Exchange;
  isSettled: boolean;
}

const withNew = (model: readonly Modeled[], exchange: Exchange): Modeled[] =>
  [...model, { exchange, isSettled: false }].slice(-MAX_EXCHANGES);

/** Vitest compares a thousand exchanges in ten times the time, so it only shows what differs. */
function expectSame(found: readonly object[], expected: readonly object[]): void {
  if (!isDeepStrictEqual(found, expected)) expect(found).toStrictEqual(expected);
}

/** The request log has what the model has. */
function compare(log: RequestLog, model: readonly Modeled[]): void {
  const found = Array.from({ length: log.next - log.first }, (_, n) => kept(log.at(log.next - 1 - n) as Exchange));
  const expected = model.map(({ exchange }) => kept(exchange)).reverse();
  expectSame(found, expected);
  for (let index = 0; index < model.length; index += 50) {
    expect(log.numberOf((model[index] as Modeled).exchange.id)).toBe(log.first + index);
  }
}

const seeds = Array.from({ length: runs(4) }, (_, index) => index + 1);

describe('a request log', () => {
  it.each(seeds)('has each exchange as it was, whatever is evicted, settled late or cleared (seed %i)', (seed) => {
    const random = randomFrom(seed);
    const log = new RequestLog(SANDBOX, { at: 0, ms: 0 });
    let model: Modeled[] = [];
    let longest = 0;
    let held = { log: log.settled(), settled: [] as Exchange[] };
    for (let step = 0; step < 6_000; step++) {
      const what = random();
      const pending = model.filter(({ isSettled }) => !isSettled);
      if (what < 0.5) {
        model = withNew(model, anyExchange(random));
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
      expectSame(held.log.map(kept), held.settled.map(kept));
      const settled = model.flatMap(({ exchange, isSettled }) => (isSettled ? exchange : []));
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
