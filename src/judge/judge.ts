/**
 * The judge: takes every exchange, has the referee look at it, and joins the verdict to it. It stands beside the way
 * of a request: `submit` costs the main thread a look-up and, for what was not judged before, a string to post.
 */
import type { Exchange, Verdict } from '../exchange.ts';
import type { Log } from '../log.ts';
import { shorten } from '../wording.ts';
import { agree, freezeVerdict } from './agreement.ts';
import { type Key, Memory } from './memory.ts';
import { decodeVerdict, headOf } from './message.ts';
import { type QueueBounds, RefereeQueue } from './queue.ts';

export interface JudgeOptions {
  readonly log: Log;
  /** Called once for each exchange, when its verdict is joined. */
  readonly onVerdict?: (exchange: Exchange) => void;
  /** The referee ended and could not be started again: nothing is judged any more. */
  readonly onFatal?: (error: Error) => void;
  /** The worker's file; the built one unless a test brings its own. */
  readonly referee?: URL;
  /** For how long the referee may be silent over an exchange. */
  readonly patienceMs?: number;
  /** What may wait for the referee. */
  readonly bounds?: QueueBounds;
  /** Characters of exchanges whose verdicts are remembered. */
  readonly maxRemembered?: number;
}

/** Counts since the start. */
export interface Tallies {
  /** Exchanges with a verdict, the remembered ones included. */
  judged: number;
  /** Those whose verdict was known from the same input. */
  remembered: number;
  /** Those that the referee failed on. */
  unjudged: number;
  /** Requests on which service and referee differ without being meant to: bugs of ours. */
  disagreements: number;
  /** Answers that break the document: bugs of ours. */
  brokenAnswers: number;
}

export interface Judge {
  /** Resolves when the referee has checked itself; rejects when it cannot start: a schema does not compile, say. */
  readonly ready: Promise<void>;
  readonly tallies: Readonly<Tallies>;
  /** Has an exchange judged, soon. Not for HEAD and 304, which have no body to judge, nor where no operation matches. */
  submit(exchange: Exchange): void;
  /** `undefined` when there is room for another exchange of this owner; else await it before answering its next request. */
  room(owner: string): Promise<void> | undefined;
  /** Resolves when everything submitted before now has its verdict: of one sandbox, or of all. */
  settled(sandbox?: string): Promise<void>;
  /** Waits for what was submitted, for so long at the most, then ends the worker. What it still owes is unjudged. */
  close(withinMs?: number): Promise<void>;
}

/** In the bundle the worker's file stands beside this one; from source (tests) it is the built one. */
const builtReferee = (): URL =>
  new URL(import.meta.url.endsWith('.ts') ? '../../dist/referee.js' : './referee.js', import.meta.url);

/** Verdicts that are alike are one object; this many different ones are known at a time. */
const MAX_KNOWN = 500;

export function createJudge(options: JudgeOptions): Judge {
  const { log, onVerdict, onFatal } = options;
  const memory = new Memory(options.maxRemembered);
  const known = new Map<string, Verdict>();
  const tallies: Tallies = { judged: 0, remembered: 0, unjudged: 0, disagreements: 0, brokenAnswers: 0 };

  const verdictOf = (text: string): Verdict => {
    const before = known.get(text);
    if (before) return before;
    const verdict = freezeVerdict(decodeVerdict(text));
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(text, verdict);
    return verdict;
  };

  const conclude = (exchange: Exchange, refereed: Verdict): void => {
    const { verdict, disagreement, brokenAnswer } = agree(exchange, refereed);
    exchange.verdict = verdict;
    if (verdict.unjudged === undefined) {
      tallies.judged += 1;
    } else {
      tallies.unjudged += 1;
      log.error(describe(exchange), `unjudged: ${verdict.unjudged}`);
    }
    if (disagreement !== undefined) {
      tallies.disagreements += 1;
      log.error(describe(exchange), disagreement);
    }
    if (brokenAnswer) {
      tallies.brokenAnswers += 1;
      log.error(describe(exchange), 'an answer breaks the document');
    }
    onVerdict?.(exchange);
  };

  const queue = new RefereeQueue({
    referee: options.referee ?? builtReferee(),
    patienceMs: options.patienceMs ?? 10_000,
    bounds: options.bounds,
    log,
    onVerdict: (exchange, head, text) => {
      const verdict = verdictOf(text);
      // What failed once may succeed the next time.
      if (verdict.unjudged === undefined && isRemembered(exchange)) memory.set(keyOf(head, exchange), verdict);
      conclude(exchange, verdict);
    },
    onUnjudged: (exchange, reason) =>
      conclude(exchange, freezeVerdict({ violations: [], warnings: [], unjudged: reason })),
    onFatal: (error) => onFatal?.(error),
  });

  return {
    ready: queue.ready,
    tallies,
    submit: (exchange) => {
      const head = headOf(exchange);
      const verdict = isRemembered(exchange) ? memory.get(keyOf(head, exchange)) : undefined;
      if (verdict) {
        tallies.remembered += 1;
        conclude(exchange, verdict);
      } else {
        queue.push(exchange, head);
      }
    },
    room: (owner) => queue.room(owner),
    settled: (sandbox) => queue.settled(sandbox),
    close: (withinMs) => queue.close(withinMs),
  };
}

const isRemembered = ({ request }: Exchange): boolean => request.body === undefined;

const keyOf = (head: string, { answer }: Exchange): Key => ({ head, answer: answer.body });

/** Characters of a body that a log entry shows. */
const MAX_SHOWN = 2 * 1024;

/** An exchange for the log. What issues keys answers them: their values are blanked. */
function describe({ id, sandbox, operation, request, answer, decision, injected, verdict }: Exchange): object {
  return {
    exchange: id,
    sandbox,
    operation,
    request: { ...request, body: shown(request.body) },
    answer: { ...answer, body: shown(answer.body) },
    decision,
    injected,
    violations: verdict?.violations,
  };
}

const shown = (body: string | undefined): string | undefined =>
  body && shorten(body, MAX_SHOWN).replace(/("(?:key|token)"\s*:\s*")[^"]*/gi, '$1…');
