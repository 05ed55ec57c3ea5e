import { existsSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Exchange } from '../../../src/base/api/exchange.ts';
import {
  createValidator,
  type ValidatorOptions,
  type ValidatorService,
} from '../../../src/verdict/validator/validator.ts';
import type { ValidatorWorker } from '../../../src/verdict/validator/worker-thread.ts';
import { createPet, getPet, listPets, pet } from '../../support/exchanges.ts';
import { KeptLog } from '../../support/log.ts';
import { shareWorker } from '../../support/shared-worker.ts';
import { buildValidator, inShort } from './support.ts';

const open: ValidatorService[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((validator) => validator.close()));
});

/** One thread for the tests that leave it as it was, or as new: where it ends, it is started again. */
let shared: () => ValidatorWorker;
let frail: URL;
let mortal: URL;
beforeAll(async () => {
  [frail, mortal] = await Promise.all([buildValidator('frail'), buildValidator('mortal')]);
  shared = shareWorker(frail);
});
afterAll(() => shared().terminate());

const start = (options: Partial<ValidatorOptions> = {}) => {
  const log = new KeptLog();
  const bounds = { characters: 8 * 2 ** 20, input: 128 * 2 ** 20 };
  const validator = createValidator({ log, worker: shared, bounds, ...options });
  open.push(validator);
  const heard: Exchange[] = [];
  validator.watch((exchange) => void heard.push(exchange));
  const submit = (...exchanges: Exchange[]): Exchange[] => {
    for (const exchange of exchanges) validator.submit(exchange);
    return exchanges;
  };
  /** Submits them, and gives the first when all is validated. */
  const settle = async (...exchanges: Exchange[]): Promise<Exchange> => {
    submit(...exchanges);
    await validator.whenValidated();
    return exchanges[0] as Exchange;
  };
  const errors = () => log.lines.filter(({ level }) => level === 'error');
  return { validator, errors, heard, submit, settle };
};

const many = (count: number, sandbox = 'sbx_one'): Exchange[] =>
  Array.from({ length: count }, (_, index) => getPet(index, { sandbox }));

describe('the validator', () => {
  test('joins verdicts to exchanges, in the order in which they came', async () => {
    const { validator, heard, submit } = start();
    const exchanges = submit(...many(200));
    expect(heard).toEqual([]);
    await validator.whenValidated();
    expect(heard.map(({ id }) => id)).toEqual(exchanges.map(({ id }) => id));
    for (const { verdict } of exchanges) expect(verdict).toMatchObject({ violations: [] });
    expect(validator.tallies).toEqual({
      ...{ validated: 200, remembered: 0 },
      ...{ validationFailures: 0, disagreements: 0, brokenResponses: 0 },
    });
  });

  test('gives a remembered verdict at once, and the same as a fresh one', async () => {
    const { validator, submit, settle } = start();
    const wrong = (request: Partial<Exchange['request']> = {}): Exchange =>
      listPets('?limit=0&lmit=1', { request, response: { body: '{}' } });
    const first = await settle(wrong());
    const [second] = submit(wrong());
    expect(second?.verdict).toEqual(first.verdict);
    expect(second?.verdict?.violations).not.toHaveLength(0);
    expect(validator.tallies).toMatchObject({ validated: 2, remembered: 1 });
    const other = await settle(wrong({ authorization: undefined }));
    expect(inShort(other.verdict)).toContain('request header/authorization security');
  });

  test('validates every request with a body again: what it makes is another thing each time', async () => {
    const { validator, submit, settle } = start();
    const wrong = (): Exchange => createPet({ name: 1, catgoryId: 1 }, { response: { body: '{}' } });
    const first = await settle(wrong());
    const [second] = submit(wrong());
    expect(second?.verdict).toBeUndefined();
    await validator.whenValidated();
    expect(second?.verdict).toEqual(first.verdict);
    expect(validator.tallies).toMatchObject({ validated: 2, remembered: 0 });
  });

  test('settles one sandbox without waiting for the others', async () => {
    const { validator, submit } = start();
    const [mine] = submit(...many(1, 'sbx_mine'));
    const others = submit(...many(500));
    await validator.whenValidated('sbx_mine');
    expect([mine?.verdict !== undefined, others.at(-1)?.verdict]).toEqual([true, undefined]);
    await validator.whenValidated('sbx_of_nobody');
    await validator.whenValidated();
    expect(others.at(-1)?.verdict).toBeDefined();
  });

  test('has room for others when one sandbox has filled its half', async () => {
    const { validator, submit } = start();
    let taken = 0;
    for (; validator.capacity('sbx_greedy') === undefined; taken += 1) submit(getPet(taken, { sandbox: 'sbx_greedy' }));
    expect(taken).toBeGreaterThan(400);
    expect(taken).toBeLessThanOrEqual(512);
    expect(validator.capacity('sbx_mine')).toBeUndefined();
    await validator.whenValidated();
    expect(validator.capacity('sbx_greedy')).toBeUndefined();
  });

  test('has room until its queue is full, then makes wait, and leaves nothing not validated', async () => {
    const { validator, submit } = start();
    let waits = 0;
    for (const exchange of many(3_000)) {
      const room = validator.capacity('sbx_one');
      if (room) waits += 1;
      await room;
      submit(exchange);
    }
    expect(waits).toBeGreaterThan(0);
    await validator.whenValidated();
    expect([validator.tallies.validated, validator.capacity('sbx_one')]).toEqual([3_000, undefined]);
  });

  test('makes an owner wait for the size of what it has queued as well, and nobody else', async () => {
    const { validator, submit } = start();
    const body = JSON.stringify({ name: 'x'.repeat(1_000_000), categoryId: 1 });
    for (let index = 0; index < 10; index += 1) submit(createPet(body));
    expect(validator.capacity('sbx_one')).toBeInstanceOf(Promise);
    expect(validator.capacity('sbx_mine')).toBeUndefined();
    await validator.capacity('sbx_one');
    await validator.whenValidated();
    expect(validator.tallies.validated).toBe(10);
  });

  test('leaves not validated what is too large to validate without danger to the process', () => {
    const [exchange] = start().submit(listPets('', { response: { body: 'x'.repeat(130 * 1024 * 1024) } }));
    expect(exchange?.verdict?.validationError).toContain('larger than');
  });

  test('logs a disagreement and a broken response, with its request and without bodies', async () => {
    const { validator, errors, settle } = start();
    const body = '{"key":"psk_secret"}';
    await settle(listPets('?limit=0'), createPet(pet, { response: { body } }));
    expect(validator.tallies).toMatchObject({ disagreements: 1, brokenResponses: 1, validated: 2 });
    expect(errors().map(({ message }) => message)).toEqual([
      'the service accepted a request that the validator rejects',
      'a response breaks the specification',
    ]);
    const text = JSON.stringify(errors());
    expect(text).toContain('query/limit');
    expect(text).not.toContain('psk_secret');
  });

  test('waits at its end for what was submitted, and validates nothing after', async () => {
    const { validator, submit } = start();
    const exchanges = submit(...many(100));
    await Promise.all([validator.close(), validator.close()]);
    expect(exchanges.every(({ verdict }) => verdict?.validationError === undefined && verdict)).toBe(true);
    const [late] = submit(getPet(1_000));
    expect(late?.verdict?.validationError).toBe('the validator has ended');
  });

  test('can be closed before it is ready', async () => {
    const { validator } = start();
    await validator.close();
    await expect(validator.ready).rejects.toThrow('closed before');
  });
});

describe('a validator in trouble', () => {
  test('that throws over an exchange leaves that one not validated, and no other', async () => {
    const { validator, errors, settle } = start();
    const exchanges = [getPet(1), getPet('2?fail'), getPet(3)];
    await settle(...exchanges);
    const failed = expect.stringContaining('this exchange is too much');
    expect(exchanges.map(({ verdict }) => verdict?.validationError)).toEqual([undefined, failed, undefined]);
    expect(validator.tallies).toMatchObject({ validated: 2, validationFailures: 1 });
    const details = expect.objectContaining({ exchange: exchanges[1]?.id });
    expect(errors()).toContainEqual({ level: 'error', message: expect.stringContaining('not validated'), details });
  });

  test.each<[what: string, query: string, why: string, options?: Partial<ValidatorOptions>]>([
    ['is killed twice', 'die', 'the validator'],
    ['hangs twice', 'hang', 'no verdict for 300 ms', { timeoutMs: 300 }],
  ])('that %s over an exchange leaves its message not validated, and goes on', async (_, query, why, options) => {
    const { validator, settle } = start(options);
    const exchanges = [getPet(`1?${query}`), ...many(100)];
    await settle(...exchanges);
    const reasons = exchanges.map(({ verdict }) => verdict?.validationError);
    expect(reasons[0]).toContain(why);
    const { validated, validationFailures } = validator.tallies;
    expect([validated + validationFailures, validationFailures <= 32]).toEqual([101, true]);
    expect(validator.capacity('sbx_one')).toBeUndefined();
  });

  test('that is killed once is restarted, and nothing is lost', async () => {
    const mark = path.join(tmpdir(), `petstore-die-once-${process.pid}-${Date.now()}`);
    const { validator, heard, settle } = start({ worker: frail });
    await validator.ready;
    const exchanges = [...many(40), getPet(`40?die-once=${encodeURIComponent(mark)}`), ...many(40)];
    await settle(...exchanges);
    expect(existsSync(mark)).toBe(true);
    rmSync(mark);
    expect(heard.map(({ id }) => id)).toEqual(exchanges.map(({ id }) => id));
    expect(validator.tallies).toMatchObject({ validated: 81, validationFailures: 0 });
  });

  test('that cannot be started again is the end, and is told of; one that cannot start at all is not ready', async () => {
    const { validator, settle } = start({ worker: mortal });
    await validator.ready;
    const exchange = await settle(getPet());
    expect((await validator.lost).message).toContain('not a second time');
    expect(exchange.verdict?.validationError).toContain('cannot start');
    const other = start({ worker: mortal });
    const [first] = other.submit(getPet());
    await expect(other.validator.ready).rejects.toThrow('not a second time');
    expect(first?.verdict?.validationError).toContain('cannot start');
    rmSync(path.join(path.dirname(fileURLToPath(mortal)), 'started'));
  });
});
