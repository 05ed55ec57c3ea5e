/**
 * The account of requests: each request that reached the server, stood in a file or was ever in a log ends in exactly one
 * count. Every verdict shows the counts, and their sum is what came in. So nothing leaves the count without a word.
 */

import { type Exchange, isExpectedInvalid, isFromDashboard, isPreflight } from '../base/api/exchange.ts';
import type { components } from '../base/generated/control-api.d.ts';
import { counted } from '../base/text.ts';
import { isViolation } from './malformed.ts';

/** Described in `spec/control-api.yaml`. */
export type Account = components['schemas']['RequestAccount'];
/** A count of it. */
export type AccountKind = Account['reasons'][number]['kind'];

/** What each count is called, in the order in which they are shown. */
export const KIND_WORDS: Readonly<Record<AccountKind, string>> = {
  validated: 'validated',
  expectedInvalid: 'expected invalid',
  injected: 'with an injected fault',
  skipped: 'skipped by rule',
  notValidated: 'not validated',
  notRecognized: 'not recognized',
  malformed: 'malformed',
  dropped: 'dropped',
  otherAddress: 'to another address',
};

const accountKinds = Object.keys(KIND_WORDS) as AccountKind[];

/** Requests that end in one count. */
export interface AccountEntry {
  readonly kind: AccountKind;
  readonly count: number;
  /** Why they were not simply validated, as a clause; grouped by it. */
  readonly reason?: string | undefined;
}

/** Further reasons are counted without their texts. */
const MAX_REASONS = 400;

/** The account of these requests. */
export function accountOf(entries: Iterable<AccountEntry>): Account {
  const account = {
    total: 0,
    ...(Object.fromEntries(accountKinds.map((kind) => [kind, 0])) as Record<AccountKind, number>),
  };
  const reasons = new Map<string, Account['reasons'][number]>();
  for (const { kind, count, reason } of entries) {
    if (count === 0) continue;
    account.total += count;
    account[kind] += count;
    if (reason === undefined) continue;
    const short = reasons.size < MAX_REASONS ? reason : 'for other reasons';
    const key = `${kind}\n${short}`;
    reasons.set(key, { kind, reason: short, count: count + (reasons.get(key)?.count ?? 0) });
  }
  const inOrder = [...reasons.values()].sort((a, b) => accountKinds.indexOf(a.kind) - accountKinds.indexOf(b.kind));
  return { ...account, reasons: inOrder };
}

/** The account of all of them together. */
export const mergedAccounts = (accounts: readonly Account[]): Account => accountOf(accounts.flatMap(accountEntries));

/** The requests of an account, those without a reason first. */
function accountEntries(account: Account): AccountEntry[] {
  const plain = accountKinds.map((kind): AccountEntry => {
    const explained = account.reasons.filter((each) => each.kind === kind);
    return { kind, count: explained.reduce((rest, { count }) => rest - count, account[kind]) };
  });
  return [...plain, ...account.reasons];
}

/** `8 requests = 6 validated + 2 expected invalid`; `8 requests validated`. */
export function accountInWords(account: Account): string {
  const requests = counted(account.total, 'request');
  const present = accountKinds.filter((kind) => account[kind] > 0);
  if (account.validated === account.total) return account.total === 0 ? requests : `${requests} validated`;
  return `${requests} = ${present.map((kind) => `${account[kind].toLocaleString('en')} ${KIND_WORDS[kind]}`).join(' + ')}`;
}

/** Where a settled exchange ends. What could not be validated is unknown, whatever its client expected. */
export function accountKindOf(exchange: Exchange): Omit<AccountEntry, 'count'> {
  const { operation, request, verdict, injectedFault, malformed } = exchange;
  if (isFromDashboard(exchange)) return { kind: 'skipped', reason: 'sent by the dashboard' };
  if (malformed) {
    const { message: reason } = malformed;
    if (!isViolation(exchange)) return { kind: 'notValidated', reason };
    return isExpectedInvalid(exchange) ? { kind: 'expectedInvalid' } : { kind: 'malformed', reason };
  }
  if (operation !== undefined) {
    if (verdict?.validationError !== undefined) return { kind: 'notValidated', reason: verdict.validationError };
    if (verdict === undefined)
      return { kind: 'notValidated', reason: `a response to ${request.method} has no body to validate` };
  }
  if (isExpectedInvalid(exchange)) return { kind: 'expectedInvalid' };
  if (isPreflight(exchange)) return { kind: 'skipped', reason: OPTIONS_REASON };
  if (operation === undefined) return { kind: 'notRecognized' };
  return { kind: injectedFault === undefined ? 'validated' : 'injected' };
}

/** Why `OPTIONS` is skipped, with a key and without one. */
export const OPTIONS_REASON = 'OPTIONS, as browsers send it before the request of a page';
