import { existsSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Exchange } from '../../src/requests/exchange.ts';
import { createJudge, type Judge, type JudgeOptions } from '../../src/validator/validator.ts';
import { createPet, errorResponse, getPet, listPets, pet } from '../support/exchanges.ts';
import { buildReferee, inShort, keepingLog } from './support.ts';

const open: Judge[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((judge) => judge.close()));
});

let frail: URL;
let uncompilable: URL;
let mortal: URL;
beforeAll(async () => {
  [frail, uncompilable, mortal] = await Promise.all([
    buildReferee('frail'),
    buildReferee('uncompilable'),
    buildReferee('mortal'),
  ]);
});

const start = (options: Partial<JudgeOptions> = {}) => {
  const { log, errors } = keepingLog();
  const judge = createJudge({ log, referee: frail, ...options });
  open.push(judge);
  const submit = (...exchanges: Exchange[]): Exchange[] => {
    for (const exchange of exchanges) judge.submit(exchange);
    return exchanges;
  };
  return { judge, errors, submit };
};

describe('the judge', () => {
  test('joins verdicts to exchanges, in the order in which they came', async () => {
    const heard: string[] = [];
    const { judge, submit } = start({ onVerdict: ({ id }) => heard.push(id) });
    const exchanges = submit(...Array.from({ length: 200 }, (_, index) => getPet(index)));
    expect(heard).toEqual([]);
    await judge.settled();
    expect(heard).toEqual(exchanges.map(({ id }) => id));
    for (const { verdict } of exchanges) expect(verdict).toMatchObject({ violations: [] });
    expect(judge.tallies).toEqual({ judged: 200, remembered: 0, unjudged: 0, disagreements: 0, brokenResponses: 0 });
  });

  test('works with the referee that the build makes', async () => {
    const { judge, submit } = start({ referee: undefined as unknown as URL });
    const [exchange] = submit(listPets('?limit=0', errorResponse(400)));
    await judge.settled();
    expect(inShort(exchange?.verdict)).toEqual(['request query/limit minimum']);
  });

  test('gives a remembered verdict at once, and the same as a fresh one', async () => {
    const { judge, submit } = start();
    const wrong = (): Exchange => listPets('?limit=0&lmit=1', { response: { body: '{}' } });
    const [first] = submit(wrong());
    await judge.settled();
    const [second] = submit(wrong());
    expect(second?.verdict).toEqual(first?.verdict);
    expect(second?.verdict?.violations).not.toHaveLength(0);
    expect(judge.tallies).toMatchObject({ judged: 2, remembered: 1 });
  });

  test('judges every request with a body anew: what it makes is another thing each time', async () => {
    const { judge, submit } = start();
    const [first] = submit(createPet({ name: 1, catgoryId: 1 }, { response: { body: '{}' } }));
    await judge.settled();
    const [second] = submit(createPet({ name: 1, catgoryId: 1 }, { response: { body: '{}' } }));
    expect(second?.verdict).toBeUndefined();
    await judge.settled();
    expect(second?.verdict).toEqual(first?.verdict);
    expect(judge.tallies).toMatchObject({ judged: 2, remembered: 0 });
  });

  test('does not take one exchange for another that is nearly alike', async () => {
    const { judge, submit } = start();
    submit(listPets('?limit=1'));
    await judge.settled();
    const [other] = submit(listPets('?limit=1', { request: { authorization: undefined } }));
    await judge.settled();
    expect(inShort(other?.verdict)).toEqual(['request header/authorization security']);
  });

  test('settles one sandbox without waiting for the others', async () => {
    const { judge, submit } = start();
    const [mine] = submit(getPet(1, { sandbox: 'sbx_mine' }));
    const others = submit(...Array.from({ length: 500 }, (_, index) => getPet(index)));
    await judge.settled('sbx_mine');
    expect(mine?.verdict).toBeDefined();
    expect(others.at(-1)?.verdict).toBeUndefined();
    await judge.settled('sbx_of_nobody');
    await judge.settled();
    expect(others.at(-1)?.verdict).toBeDefined();
  });

  test('does not judge one sandbox after all that another one has waiting', async () => {
    const heard: (string | undefined)[] = [];
    const { judge, submit } = start({ onVerdict: ({ sandbox }) => heard.push(sandbox) });
    submit(...Array.from({ length: 2_000 }, (_, index) => getPet(index, { sandbox: 'sbx_greedy' })));
    const mine = submit(...Array.from({ length: 20 }, (_, index) => getPet(index, { sandbox: 'sbx_mine' })));
    await judge.settled('sbx_mine');
    expect(mine.every(({ verdict }) => verdict !== undefined)).toBe(true);
    expect(heard.length).toBeLessThan(500);
    await judge.settled();
    expect(heard).toHaveLength(2_020);
  });

  test('has room for others when one sandbox has filled its share', async () => {
    const { judge, submit } = start();
    let taken = 0;
    for (; judge.room('sbx_greedy') === undefined; taken += 1) submit(getPet(taken, { sandbox: 'sbx_greedy' }));
    expect(taken).toBe(512);
    expect(judge.room('sbx_mine')).toBeUndefined();
    await judge.settled();
    expect(judge.room('sbx_greedy')).toBeUndefined();
  });

  test('has room until its queue is full, then makes wait, and leaves nothing unjudged', async () => {
    const { judge, submit } = start();
    expect(judge.room('sbx_one')).toBeUndefined();
    const exchanges = Array.from({ length: 3_000 }, (_, index) => getPet(index));
    let waits = 0;
    for (const exchange of exchanges) {
      const room = judge.room('sbx_one');
      if (room) waits += 1;
      await room;
      submit(exchange);
    }
    expect(waits).toBeGreaterThan(0);
    await judge.settled();
    expect(judge.tallies.judged).toBe(3_000);
    expect(judge.room('sbx_one')).toBeUndefined();
  });

  test('makes wait for the size of what is queued as well', async () => {
    const { judge, submit } = start();
    const body = JSON.stringify({ name: 'x'.repeat(1_000_000), categoryId: 1 });
    for (let index = 0; index < 10; index += 1) submit(createPet(body));
    expect(judge.room('sbx_one')).toBeInstanceOf(Promise);
    await judge.room('sbx_one');
    await judge.settled();
    expect(judge.tallies.judged).toBe(10);
  });

  test('takes the largest answer that there can be', async () => {
    const { judge, submit } = start();
    const [exchange] = submit(
      listPets('?limit=100', {
        response: { body: JSON.stringify(Array(100).fill({ ...pet, name: 'x'.repeat(1_000_000) })) },
      }),
    );
    await judge.settled();
    expect(exchange?.verdict).toEqual({ violations: [], warnings: [] });
  });

  test('leaves unjudged what is too large to judge without danger to the process', () => {
    const { submit } = start();
    const [exchange] = submit(listPets('', { response: { body: 'x'.repeat(130 * 1024 * 1024) } }));
    expect(exchange?.verdict?.unjudged).toContain('larger than');
  });

  test('logs a disagreement and a broken response, with the exchange and without keys', async () => {
    const { judge, errors, submit } = start();
    submit(
      listPets('?limit=0'),
      createPet(pet, { response: { body: `{"key":"psk_secret","pad":"${'x'.repeat(9_000)}"}` } }),
    );
    await judge.settled();
    expect(judge.tallies).toMatchObject({ disagreements: 1, brokenResponses: 1, judged: 2 });
    expect(errors.map(({ message }) => message)).toEqual([
      'the service accepted a request that the referee refuses',
      'a response breaks the specification',
    ]);
    const text = JSON.stringify(errors);
    expect(text).toContain('query/limit');
    expect(text).not.toContain('psk_secret');
    expect(text.length).toBeLessThan(6_000);
  });

  test('waits at its end for what was submitted, and judges nothing after', async () => {
    const { judge, submit } = start();
    const exchanges = submit(...Array.from({ length: 100 }, (_, index) => getPet(index)));
    await Promise.all([judge.close(), judge.close()]);
    expect(exchanges.every(({ verdict }) => verdict?.unjudged === undefined && verdict)).toBe(true);
    const [late] = submit(getPet(1_000));
    expect(late?.verdict?.unjudged).toBe('the referee has ended');
  });

  test('can be closed before it is ready', async () => {
    const { judge } = start();
    await judge.close();
    await expect(judge.ready).rejects.toThrow('closed before');
  });
});

describe('a referee in trouble', () => {
  test('that throws leaves that exchange unjudged, and no other', async () => {
    const { judge, errors, submit } = start();
    const [before, failed, after] = submit(getPet(1), getPet('2?fail'), getPet(3));
    await judge.settled();
    expect(failed?.verdict?.unjudged).toContain('this exchange is too much');
    expect([before, after].map((exchange) => exchange?.verdict?.unjudged)).toEqual([undefined, undefined]);
    expect(judge.tallies).toMatchObject({ judged: 2, unjudged: 1 });
    expect(errors).toMatchObject([{ message: expect.stringContaining('unjudged'), details: { exchange: failed?.id } }]);
  });

  test('that is killed once is restarted, and nothing is lost', async () => {
    const mark = path.join(tmpdir(), `petstore-die-once-${process.pid}-${Date.now()}`);
    const heard: string[] = [];
    const { judge, submit } = start({ onVerdict: ({ id }) => heard.push(id) });
    await judge.ready;
    const exchanges = submit(
      ...Array.from({ length: 40 }, (_, index) => getPet(index)),
      getPet(`40?die-once=${encodeURIComponent(mark)}`),
      ...Array.from({ length: 40 }, (_, index) => getPet(41 + index)),
    );
    await judge.settled();
    expect(existsSync(mark)).toBe(true);
    rmSync(mark);
    expect(heard).toEqual(exchanges.map(({ id }) => id));
    expect(judge.tallies).toMatchObject({ judged: 81, unjudged: 0 });
  });

  test('that an exchange kills twice leaves that one unjudged', async () => {
    const { judge, submit } = start();
    const exchanges = submit(getPet(1), getPet(2), getPet('3?die'), getPet(4), getPet(5));
    await judge.settled();
    expect(exchanges.map(({ verdict }) => verdict?.unjudged !== undefined)).toEqual([false, false, true, false, false]);
    expect(judge.tallies).toMatchObject({ judged: 4, unjudged: 1 });
    expect(judge.room('sbx_one')).toBeUndefined();
  });

  test('that hangs over an exchange leaves that one unjudged', async () => {
    const { judge, submit } = start({ patienceMs: 300 });
    const exchanges = submit(getPet(1), getPet('2?hang'), getPet(3));
    await judge.settled();
    expect(exchanges[1]?.verdict?.unjudged).toContain('no verdict for 300 ms');
    expect(judge.tallies).toMatchObject({ judged: 2, unjudged: 1 });
  });

  test('is not ready when a schema does not compile, and says which', async () => {
    const { judge, submit } = start({ referee: uncompilable });
    const [exchange] = submit(getPet());
    await expect(judge.ready).rejects.toThrow(/interface\/\w+: the schema of its .* does not compile/);
    expect(exchange?.verdict?.unjudged).toContain('cannot start');
    await judge.settled();
  });

  test('that cannot be started again is the end, and is told of', async () => {
    const fatal: Error[] = [];
    const { judge, submit } = start({ referee: mortal, onFatal: (error) => fatal.push(error) });
    await judge.ready;
    const [exchange] = submit(getPet());
    await judge.settled();
    expect(fatal.map(({ message }) => message)).toEqual([expect.stringContaining('not a second time')]);
    expect(exchange?.verdict?.unjudged).toContain('cannot start');
    rmSync(path.join(path.dirname(fileURLToPath(mortal)), 'started'));
  });
});
