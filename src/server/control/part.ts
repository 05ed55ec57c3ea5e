/**
 * The requests that a verdict is about, at one moment, and everything that they may lack: the same for the report, runs,
 * issues, previews and verification.
 */
import { ApiError } from '../../base/api/errors.ts';
import type { Exchange } from '../../base/api/exchange.ts';
import { counted } from '../../base/text.ts';
import { lossIn, NONE, type RequestLog } from '../../traffic/request-log.ts';
import { ALL, clientOf, LAST, QUIET_MS } from '../../traffic/runs.ts';
import { search, startOf } from '../../traffic/search.ts';
import { unansweredWords } from '../../traffic/unanswered.ts';
import { type UnmatchedSince, unattributedReasons } from '../../traffic/unmatched-requests.ts';
import type { RequestPart } from '../../verdict/report/run-outcomes.ts';
import { type ControlCall, type ControlContext, type Validated, validatedOf } from './control.ts';
import { during, isOnlyClient, maySeeUnmatched, type Span, unattributedIn } from './unmatched.ts';

interface PartQuery {
  /** The name of a run, `last`, or `all`, the default. */
  readonly run?: unknown;
  /** A time, or the id of an exchange: only those after it. */
  readonly since?: string | undefined;
  /** The operation of which those matter that have no response yet. */
  readonly operation?: string | undefined;
  /** Whether to wait for those that have no response yet, and to end their delays. */
  readonly wait?: boolean | 'finish' | undefined;
  /** Whether unmatched requests are listed, and so not missing. */
  readonly listsUnmatched?: boolean | undefined;
}

/** A part of a request log. */
export interface LogPart extends RequestPart, Validated {
  /** Unmatched requests during it, where only this client can have sent them, and the caller may see them. */
  readonly unmatched: UnmatchedSince | undefined;
  /** The runs of the whole log, in the order in which they began. Yields after each. */
  runs(): Generator<void, readonly RequestPart[]>;
}

/** @throws {ApiError} `not_found` for a run or an exchange that is not in the log */
export async function readPart(call: ControlCall, context: ControlContext, query: PartQuery): Promise<LogPart> {
  const { operation, wait = true } = query;
  const { unanswered } = context;
  const { id } = call.sandbox();
  const open = wait === false ? unanswered.of(id) : await unanswered.whenAnswered(id, wait === 'finish');
  const waiting = unansweredWords(open.filter((each) => operation === undefined || each.operation === operation));
  const validated = await validatedOf(call, context);
  return call.inTurn(() => partNow(call, context, query, { ...validated, waiting }));
}

/** @param validated with why an answer may be missing */
function partNow(
  call: ControlCall,
  context: ControlContext,
  { run: wantedRun, since, listsUnmatched = false }: PartQuery,
  { waiting, ...validated }: Validated & { readonly waiting: readonly string[] },
): LogPart {
  const { sandbox, requestLog } = validated;
  const { wholeFrom = 0, dropped, isRunBegun } = requestLog;
  const wanted = runNamed(wantedRun, requestLog);
  const from = startOf(requestLog, since);
  // All from one moment: the log changes while it is read.
  const [all, left] = [requestLog.settled(), requestLog.runs()];
  const found = since === undefined ? undefined : new Set(search(requestLog, { since }));
  // None is missing before one that is there.
  const reaches = since !== undefined && (since.startsWith('req_') || (all[0]?.at ?? Number.POSITIVE_INFINITY) < from);
  const isListed = listsUnmatched && maySeeUnmatched(call, context) && isOnlyClient(validated, all, context);

  const partOf = (run: string | undefined, ofRun: readonly Exchange[], isLatest = true): RequestPart => {
    const ended = (run === undefined ? { dropped, broken: 0 } : left.get(run)) ?? { dropped: NONE, broken: 0 };
    const gone = reaches ? NONE : ended.dropped;
    const isSince = since !== undefined && from >= wholeFrom;
    return {
      ...{ run, dropped: gone },
      exchanges: found === undefined ? ofRun : ofRun.filter((each) => found.has(each)),
      // A log may have as many runs as requests, and few of them are shown.
      get gaps() {
        const unattributed = isListed ? undefined : unattributedIn(validated, ofRun, spanOf(run, ofRun, from), context);
        return [
          ...lossIn(
            isSince ? { wholeFrom: undefined } : requestLog,
            gone.requests,
            run === undefined ? undefined : ofRun,
          ),
          ...brokenWords(ended.broken),
          ...(isLatest ? waiting : []),
          ...(unattributed ? unattributedReasons(unattributed, sandbox.id) : []),
        ];
      },
    };
  };
  const part = partOf(wanted, wanted === undefined ? all : all.filter((each) => each.run === wanted));
  return {
    ...{ ...validated, ...part },
    unmatched: isListed
      ? during(spanOf(wanted, part.exchanges, from), context.unmatched.since(requestLog.since.ms))
      : undefined,
    *runs() {
      const inLog = yield* runsIn(all);
      const parts: RequestPart[] = [];
      const clients = new Set<string | undefined>();
      // What is missing now came after the earlier runs of a client.
      for (const run of [...left.keys()].reverse()) {
        const ofRun = inLog.get(run) ?? [];
        const client = ofRun[0] && clientOf(ofRun[0]);
        parts.push(partOf(run, ofRun, !clients.has(client)));
        clients.add(client);
        yield;
      }
      parts.reverse();
      return isRunBegun ? [...parts, partOf(LAST, [])] : parts;
    },
  };
}

const brokenWords = (broken: number): string[] =>
  broken === 0
    ? []
    : [`${counted(broken, 'broken request')} may be of this run: it came while the run went on, or names it`];

/** The requests of each run in a log. Yields after each. */
function* runsIn(log: readonly Exchange[]): Generator<void, ReadonlyMap<string, readonly Exchange[]>> {
  const runs = new Map<string, Exchange[]>();
  for (const exchange of log) {
    yield;
    if (exchange.run === undefined) continue;
    const known = runs.get(exchange.run);
    if (known) known.push(exchange);
    else runs.set(exchange.run, [exchange]);
  }
  return runs;
}

/** When the client of a run may have sent requests: during it, or shortly before or after it. */
function spanOf(run: string | undefined, exchanges: readonly Exchange[], from: number): Span {
  const [first] = exchanges;
  if (run === undefined || first === undefined) return [from, Number.POSITIVE_INFINITY];
  const end = exchanges.reduce((last, each) => Math.max(last, each.respondedAt), 0);
  return [first.at - QUIET_MS, end + QUIET_MS];
}

/**
 * The name of the run that a query asks for; `undefined` for all requests. The latest run of an empty log is one without
 * requests, and so is one that was just begun. @throws {ApiError} `not_found`, with the names of the latest runs
 */
export function runNamed(wanted: unknown, requestLog: RequestLog): string | undefined {
  if (wanted === undefined || wanted === ALL) return undefined;
  const names = [...requestLog.runs().keys()];
  if (wanted === LAST) return requestLog.isRunBegun ? LAST : (names.at(-1) ?? LAST);
  if (names.includes(wanted as string)) return wanted as string;
  const known = names.length === 0 ? 'there is none yet' : `the latest are ${names.slice(-MAX_NAMED_RUNS).join('; ')}`;
  throw new ApiError('not_found', `no run in the request log has this name; ${known}`);
}

const MAX_NAMED_RUNS = 3;
