/** The account of requests; `conservation.test.ts` has what each kind of request is counted as. */
import { expect, it } from 'vitest';
import { accountInWords, accountKindOf, accountOf, mergedAccounts } from '../../src/requests/account.ts';
import { listPets } from '../support/exchanges.ts';

it('counts as not validated what was not, though it expects a rejection', () => {
  const verdict = { violations: [], warnings: [], validationError: 'it stopped' };
  const exchange = listPets('', { verdict, requestHeaders: ['Sandbox-Expect', 'invalid'] });
  expect(accountKindOf(exchange).kind).toBe('notValidated');
});

it('adds up, says each number that is not 0, and merges', () => {
  const one = accountOf([
    { kind: 'validated', count: 6 },
    { kind: 'notValidated', count: 1, reason: 'a' },
    { kind: 'notValidated', count: 1, reason: 'a' },
  ]);
  const both = mergedAccounts([one, accountOf([{ kind: 'notValidated', count: 1, reason: 'b' }])]);
  expect(accountInWords(one)).toBe('8 requests = 6 validated + 2 not validated');
  expect(both).toMatchObject({ total: 9, validated: 6, notValidated: 3 });
  expect(both.reasons).toEqual([
    { kind: 'notValidated', reason: 'a', count: 2 },
    { kind: 'notValidated', reason: 'b', count: 1 },
  ]);
  expect(accountInWords(accountOf([{ kind: 'validated', count: 2 }]))).toBe('2 requests validated');
});
