import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../src/api/exchange.ts';
import {
  type AccountKind,
  accountInWords,
  accountKindOf,
  accountOf,
  mergedAccounts,
} from '../../src/requests/account.ts';
import { listPets } from '../support/exchanges.ts';

const FINE = { violations: [], warnings: [] };

describe('the account of requests', () => {
  it.each<[AccountKind, string, Partial<Exchange>]>([
    ['validated', 'with a verdict', { verdict: FINE }],
    ['expectedInvalid', 'that says so', { verdict: FINE, requestHeaders: ['Sandbox-Expect', 'invalid'] }],
    ['injected', 'that a fault answered', { verdict: FINE, injectedFault: 'status=503' }],
    ['skipped', 'of the dashboard', { verdict: FINE, requestHeaders: ['Sandbox-Source', 'dashboard'] }],
    ['notValidated', 'that was never validated', {}],
    ['notRecognized', 'without an operation', { operation: undefined }],
    [
      'notValidated',
      'that expects a rejection and was not validated',
      { verdict: { ...FINE, validationError: 'it stopped' }, requestHeaders: ['Sandbox-Expect', 'invalid'] },
    ],
  ])('counts as %s a request %s', (kind, _, parts) => {
    expect(accountKindOf(listPets('', parts)).kind).toBe(kind);
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
});
