/**
 * Counts of everything in some requests of one client: one pass over them, in the order of their arrival, when somebody asks.
 * Exchanges that could not be counted or validated are counted as such.
 */
import { type Exchange, isExpectedInvalid, isFromDashboard, isSkipped } from '../base/api/exchange.ts';
import type { components } from '../base/generated/control-api.d.ts';
import { counted, shorten } from '../base/text.ts';
import { type AccountEntry, accountKindOf } from './account.ts';
import { inOrder } from './attempts.ts';
import { type FoundInExchange, foundIn, isRejected } from './found-in.ts';
import { Groups, spotOf } from './groups.ts';
import { correctionText } from './instead.ts';
import { SentParts } from './request-parts.ts';
import { type RoundedNumber, Rounding } from './rounding.ts';

/** Characters of a reason. */
const MAX_REASON = 200;
/** Exchanges that are searched for the behavior of a client. */
const MAX_SEARCHED = 1_000;

/** Counts of one response status of an operation. */
interface ResponseCount {
  /** Responses of the sandbox itself. */
  served: number;
  /** How many of them are rejections that the request, or the caller, expected. */
  expected: number;
  /** Responses replaced by a fault. */
  injectedFaults: number;
}

/** Responses of an operation, by status. */
export type ResponseCounts = ReadonlyMap<number, ResponseCount>;

/** By operation: the statuses of rejections that are provoked on purpose. */
export type ExpectedInvalidStatuses = ReadonlyMap<string, ReadonlySet<number>>;

/** What a caller may expect to be invalid. */
const EXPECTABLE: ReadonlySet<components['schemas']['FindingKind']> = new Set([
  ...(['violation', 'rejected', 'warning', 'deprecated'] as const),
]);

export class Tally {
  /** The responses of each operation, by status. */
  readonly responses = new Map<string, Map<number, ResponseCount>>();
  /** Requests of the client that are HTTP. */
  exchanges = 0;
  /** The findings in them. */
  readonly findings = new Groups();
  /** Where each exchange ended, those of the dashboard too. */
  readonly account: AccountEntry[] = [];
  /** The last ones of the client that it did not send invalidly on purpose, and how many of the client there were. */
  readonly meant: Exchange[] = [];
  ofClient = 0;
  /** How many came before those. */
  unsearched = 0;
  readonly #expected: ExpectedInvalidStatuses;
  readonly #rounding = new Rounding();

  /** @param expected responses that the client causes by violating the specification on purpose */
  constructor(expected: ExpectedInvalidStatuses = new Map()) {
    this.#expected = expected;
  }

  /** Why the counts are incomplete, besides what could not be validated; empty if they are complete. */
  get incompleteReasons(): readonly string[] {
    const ungrouped = [...this.findings.ungrouped.values()].reduce((sum, count) => sum + count, 0);
    const { forgotten } = this.#rounding;
    return [
      ...(ungrouped > 0 ? [`there was no room to list ${counted(ungrouped, 'finding')} of further places`] : []),
      ...(forgotten > 0 ? [`there was no room to watch ${counted(forgotten, 'large integer')} for rounding`] : []),
    ];
  }

  /** Counts a settled exchange. What says nothing about the client is in the account alone. */
  add(exchange: Exchange): void {
    const { operation = '', response, malformed } = exchange;
    const isExpected = this.#expected.get(operation)?.has(response.status) === true;
    const { kind, reason } = accountKindOf(exchange);
    this.account.push({
      kind: isExpected && kind === 'validated' ? 'expectedInvalid' : kind,
      ...{ count: 1, reason: reason && shorten(reason, MAX_REASON) },
    });
    if (isSkipped(exchange)) return;
    this.ofClient += 1;
    const isMeant = isExpected || isExpectedInvalid(exchange);
    if (!isMeant) this.meant.push(exchange);
    if (this.meant.length > MAX_SEARCHED && this.meant.shift()) this.unsearched += 1;
    if (!malformed) this.exchanges += 1;
    this.#countResponse(exchange, isMeant);
    const rounded = malformed || isFromDashboard(exchange) ? undefined : this.#roundedIn(exchange);
    const parts = new SentParts(exchange);
    const found = [...foundIn(exchange), ...(rounded && !isExpectedInvalid(exchange) ? [rounded] : [])];
    for (const [kind, part] of oneForEachMistake(found, parts))
      this.findings.add([isExpected && EXPECTABLE.has(kind) ? 'expectedInvalid' : kind, part], exchange, parts);
  }

  #roundedIn(exchange: Exchange): FoundInExchange | undefined {
    const rounded = this.#rounding.find(exchange);
    if (rounded) return roundedIn(rounded);
    this.#rounding.note(exchange);
    return undefined;
  }

  #countResponse(exchange: Exchange, isMeant: boolean): void {
    const { operation, verdict, injectedFault, response, malformed } = exchange;
    if (operation === undefined || !verdict || malformed) return;
    const responses = this.responses.get(operation) ?? new Map<number, ResponseCount>();
    this.responses.set(operation, responses);
    const count = responses.get(response.status) ?? { served: 0, expected: 0, injectedFaults: 0 };
    responses.set(response.status, count);
    if (injectedFault !== undefined) count.injectedFaults += 1;
    else {
      count.served += 1;
      if (isRejected(exchange) && isMeant) count.expected += 1;
    }
  }
}

/** Findings of one request that are compared by their corrections. */
const MAX_COMPARED = 50;

/** A field with a wrong name is unknown, and the right one is missing: one correction mends both, and the first finding has it. */
function oneForEachMistake(found: readonly FoundInExchange[], parts: SentParts): readonly FoundInExchange[] {
  if (found.length < 2 || found.length > MAX_COMPARED) return found;
  const mistakes = new Set<string>();
  return found.filter(([, part]) => {
    const spot = spotOf(part);
    const { sent, instead } = spot ? correctionText(parts, spot) : {};
    const mistake = `${sent}\n${instead}`;
    if (instead === undefined || !mistakes.has(mistake)) {
      mistakes.add(mistake);
      return true;
    }
    return false;
  });
}

/** Yields after each exchange. */
export function* tallyOf(exchanges: readonly Exchange[], expected?: ExpectedInvalidStatuses): Generator<void, Tally> {
  const tally = new Tally(expected);
  for (const exchange of inOrder(exchanges)) {
    tally.add(exchange);
    yield;
  }
  return tally;
}

/** The certain ones; the others are warnings. */
function roundedIn({ location, sent, handedOut, isCertain }: RoundedNumber): FoundInExchange {
  if (!isCertain) {
    const message = `${sent} is what becomes of ${handedOut} in a double, and the sandbox had sent ${handedOut}`;
    return ['warning', { location, rule: 'int64-possibly-rounded', message }];
  }
  const rule = 'int64-rounded';
  const message = `the client was given ${handedOut} and came back with ${sent}: it reads int64 into a double`;
  return ['rounded', { location, rule, message, spot: { location, rule, handedOut } }];
}
