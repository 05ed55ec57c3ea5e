/** The largest exchange that is validated: a hundred megabytes. */
import { expect, test } from 'vitest';
import { silentLog } from '../../../src/base/log.ts';
import { createValidator } from '../../../src/verdict/validator/validator.ts';
import { listPets, pet } from '../../support/exchanges.ts';
import { limit } from '../../support/slow.ts';

test('the validator takes the largest response that there can be', async () => {
  const bounds = { characters: 8 * 2 ** 20, input: 128 * 2 ** 20 };
  const validator = createValidator({ log: silentLog, bounds, timeoutMs: limit(10_000) });
  const body = JSON.stringify(Array(100).fill({ ...pet, name: 'x'.repeat(1_000_000) }));
  const exchange = listPets('?limit=100', { response: { body } });
  validator.submit(exchange);
  await validator.whenValidated();
  expect(exchange.verdict).toEqual({ violations: [], warnings: [] });
  await validator.close();
});
