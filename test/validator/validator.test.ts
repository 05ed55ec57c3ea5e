import { existsSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Exchange } from '../../src/api/exchange.ts';
import { createValidator, type ValidatorOptions, type ValidatorService } from '../../src/validator/validator.ts';
import { shareWorker, type ValidatorWorker } from '../../src/validator/worker-thread.ts';
import { createPet, errorResponse, getPet, listPets, pet } from '../support/exchanges.ts';
import { buildValidator, inShort, keepingLog } from './support.ts';

const open: ValidatorService[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((validator) => validator.close()));
});

/** One thread for the tests that leave it as it was, or as new: where it ends, it is started again. */
let shared: () => ValidatorWorker;
let frail: URL;
let uncompilable: URL;
let mortal: URL;
beforeAll(async () => {
  [frail, uncompilable, mortal] = await Promise.all([
    buildValidator('frail'),
    buildValidator('uncompilable'),
    buildValidator('mortal'),
  ]);
  shared = shareWorker(frail);
});
afterAll(() => shared().terminate());

const start = (options: Partial<ValidatorOptions> = {}, onVerdict?: (exchange: Exchange) => void) => {
  const { log, errors } = keepingLog();
  const bounds = { characters: 8 * 2 ** 20, input: 128 * 2 ** 20 };
  const validator = createValidator({ log, worker: shared, bounds, ...options });
  open.push(validator);
  if (onVerdict) validator.watch(onVerdict);
  const submit = (...exchanges: Exchange[]): Exchange[] => {
    for (const exchange of exchanges) validator.submit(exchange);
    return exchanges;
  };
  return { validator, errors, submit };
};

describe('the validator', () => {
  test('joins verdicts to exchanges, in the order in which they came', async () => {
    const heard: string[] = [];
    const { validator, submit } = start({}, ({ id }) => heard.push(id));
    const exchanges = submit(...Array.from({ length: 200 }, (_, index) => getPet(index)));
    expect(heard).toEqual([]);
    await validator.settled();
    expect(heard).toEqual(exchanges.map(({ id }) => id));
    for (const { verdict } of exchanges) expect(verdict).toMatchObject({ violations: [] });
    expect(validator.tallies).toEqual({
      validated: 200,
      remembered: 0,
      validationFailures: 0,
      disagreements: 0,
      brokenResponses: 0,
    });
  });

  test('works with the validator that the build makes', async () => {
    const { validator, submit } = start({ worker: undefined as unknown as URL });
    const [exchange] = submit(listPets('?limit=0', errorResponse(400)));
    await validator.settled();
    expect(inShort(exchange?.verdict)).toEqual(['request query/limit minimum']);
  });

  test('gives a remembered verdict at once, and the same as a fresh one', async () => {
    const { validator, submit } = start();
    const wrong = (): Exchange => listPets('?limit=0&lmit=1', { response: { body: '{}' } });
    const [first] = submit(wrong());
    await validator.settled();
    const [second] = submit(wrong());
    expect(second?.verdict).toEqual(first?.verdict);
    expect(second?.verdict?.violations).not.toHaveLength(0);
    expect(validator.tallies).toMatchObject({ validated: 2, remembered: 1 });
  });

  test('validates every request with a body again: what it makes is another thing each time', async () => {
    const { validator, submit } = start();
    const [first] = submit(createPet({ name: 1, catgoryId: 1 }, { response: { body: '{}' } }));
    await validator.settled();
    const [second] = submit(createPet({ name: 1, catgoryId: 1 }, { response: { body: '{}' } }));
    expect(second?.verdict).toBeUndefined();
    await validator.settled();
    expect(second?.verdict).toEqual(first?.verdict);
    expect(validator.tallies).toMatchObject({ validated: 2, remembered: 0 });
  });

  test('does not take one exchange for another that is nearly alike', async () => {
    const { validator, submit } = start();
    submit(listPets('?limit=1'));
    await validator.settled();
    const [other] = submit(listPets('?limit=1', { request: { authorization: undefined } }));
    await validator.settled();
    expect(inShort(other?.verdict)).toEqual(['request header/authorization security']);
  });

  test('settles one sandbox without waiting for the others', async () => {
    const { validator, submit } = start();
    const [mine] = submit(getPet(1, { sandbox: 'sbx_mine' }));
    const others = submit(...Array.from({ length: 500 }, (_, index) => getPet(index)));
    await validator.settled('sbx_mine');
    expect(mine?.verdict).toBeDefined();
    expect(others.at(-1)?.verdict).toBeUndefined();
    await validator.settled('sbx_of_nobody');
    await validator.settled();
    expect(others.at(-1)?.verdict).toBeDefined();
  });

  test('does not validate one sandbox after all that another one has waiting', async () => {
    const heard: (string | undefined)[] = [];
    const { validator, submit } = start({}, ({ sandbox }) => heard.push(sandbox));
    submit(...Array.from({ length: 2_000 }, (_, index) => getPet(index, { sandbox: 'sbx_greedy' })));
    const mine = submit(...Array.from({ length: 20 }, (_, index) => getPet(index, { sandbox: 'sbx_mine' })));
    await validator.settled('sbx_mine');
    expect(mine.every(({ verdict }) => verdict !== undefined)).toBe(true);
    expect(heard.length).toBeLessThan(500);
    await validator.settled();
    expect(heard).toHaveLength(2_020);
  });

  test('has room for others when one sandbox has filled its share', async () => {
    const { validator, submit } = start();
    let taken = 0;
    for (; validator.capacity('sbx_greedy') === undefined; taken += 1) submit(getPet(taken, { sandbox: 'sbx_greedy' }));
    expect(taken).toBeGreaterThan(400);
    expect(taken).toBeLessThanOrEqual(512);
    expect(validator.capacity('sbx_mine')).toBeUndefined();
    await validator.settled();
    expect(validator.capacity('sbx_greedy')).toBeUndefined();
  });

  test('has room until its queue is full, then makes wait, and leaves nothing not validated', async () => {
    const { validator, submit } = start();
    expect(validator.capacity('sbx_one')).toBeUndefined();
    const exchanges = Array.from({ length: 3_000 }, (_, index) => getPet(index));
    let waits = 0;
    for (const exchange of exchanges) {
      const room = validator.capacity('sbx_one');
      if (room) waits += 1;
      await room;
      submit(exchange);
    }
    expect(waits).toBeGreaterThan(0);
    await validator.settled();
    expect(validator.tallies.validated).toBe(3_000);
    expect(validator.capacity('sbx_one')).toBeUndefined();
  });

  test('makes wait for the size of what is queued as well', async () => {
    const { validator, submit } = start();
    const body = JSON.stringify({ name: 'x'.repeat(1_000_000), categoryId: 1 });
    for (let index = 0; index < 10; index += 1) submit(createPet(body));
    expect(validator.capacity('sbx_one')).toBeInstanceOf(Promise);
    await validator.capacity('sbx_one');
    await validator.settled();
    expect(validator.tallies.validated).toBe(10);
  });

  test('leaves not validated what is too large to validate without danger to the process', () => {
    const { submit } = start();
    const [exchange] = submit(listPets('', { response: { body: 'x'.repeat(130 * 1024 * 1024) } }));
    expect(exchange?.verdict?.validationError).toContain('larger than');
  });

  test('logs a disagreement and a broken response, with the exchange and without keys', async () => {
    const { validator, errors, submit } = start();
    submit(
      listPets('?limit=0'),
      createPet(pet, { response: { body: `{"key":"psk_secret","pad":"${'x'.repeat(9_000)}"}` } }),
    );
    await validator.settled();
    expect(validator.tallies).toMatchObject({ disagreements: 1, brokenResponses: 1, validated: 2 });
    expect(errors.map(({ message }) => message)).toEqual([
      'the service accepted a request that the validator rejects',
      'a response breaks the specification',
    ]);
    const text = JSON.stringify(errors);
    expect(text).toContain('query/limit');
    expect(text).not.toContain('psk_secret');
    expect(text.length).toBeLessThan(6_000);
  });

  test('waits at its end for what was submitted, and validates nothing after', async () => {
    const { validator, submit } = start();
    const exchanges = submit(...Array.from({ length: 100 }, (_, index) => getPet(index)));
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
  test('that throws leaves that exchange not validated, and no other', async () => {
    const { validator, errors, submit } = start();
    const [before, failed, after] = submit(getPet(1), getPet('2?fail'), getPet(3));
    await validator.settled();
    expect(failed?.verdict?.validationError).toContain('this exchange is too much');
    expect([before, after].map((exchange) => exchange?.verdict?.validationError)).toEqual([undefined, undefined]);
    expect(validator.tallies).toMatchObject({ validated: 2, validationFailures: 1 });
    expect(errors).toMatchObject([
      { message: expect.stringContaining('not validated'), details: { exchange: failed?.id } },
    ]);
  });

  test('that is killed once is restarted, and nothing is lost', async () => {
    const mark = path.join(tmpdir(), `petstore-die-once-${process.pid}-${Date.now()}`);
    const heard: string[] = [];
    const { validator, submit } = start({ worker: frail }, ({ id }) => heard.push(id));
    await validator.ready;
    const exchanges = submit(
      ...Array.from({ length: 40 }, (_, index) => getPet(index)),
      getPet(`40?die-once=${encodeURIComponent(mark)}`),
      ...Array.from({ length: 40 }, (_, index) => getPet(41 + index)),
    );
    await validator.settled();
    expect(existsSync(mark)).toBe(true);
    rmSync(mark);
    expect(heard).toEqual(exchanges.map(({ id }) => id));
    expect(validator.tallies).toMatchObject({ validated: 81, validationFailures: 0 });
  });

  test('that an exchange kills twice leaves that one not validated', async () => {
    const { validator, submit } = start();
    const exchanges = submit(getPet(1), getPet(2), getPet('3?die'), getPet(4), getPet(5));
    await validator.settled();
    expect(exchanges.map(({ verdict }) => verdict?.validationError !== undefined)).toEqual([
      false,
      false,
      true,
      false,
      false,
    ]);
    expect(validator.tallies).toMatchObject({ validated: 4, validationFailures: 1 });
    expect(validator.capacity('sbx_one')).toBeUndefined();
  });

  test('that hangs over an exchange leaves that one not validated', async () => {
    const { validator, submit } = start({ timeoutMs: 300 });
    const exchanges = submit(getPet(1), getPet('2?hang'), getPet(3));
    await validator.settled();
    expect(exchanges[1]?.verdict?.validationError).toContain('no verdict for 300 ms');
    expect(validator.tallies).toMatchObject({ validated: 2, validationFailures: 1 });
  });

  test('is not ready when a schema does not compile, and says which', async () => {
    const { validator, submit } = start({ worker: uncompilable });
    const [exchange] = submit(getPet());
    await expect(validator.ready).rejects.toThrow(/petstore\/\w+: the schema of its .* does not compile/);
    expect(exchange?.verdict?.validationError).toContain('cannot start');
    await validator.settled();
  });

  test('that cannot be started again is the end, and is told of', async () => {
    const { validator, submit } = start({ worker: mortal });
    await validator.ready;
    const [exchange] = submit(getPet());
    await validator.settled();
    expect((await validator.lost).message).toContain('not a second time');
    expect(exchange?.verdict?.validationError).toContain('cannot start');
    rmSync(path.join(path.dirname(fileURLToPath(mortal)), 'started'));
  });
});
