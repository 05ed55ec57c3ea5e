/** Puts a client through one drill, in a sandbox of its own. */
import { type ControlsClient, endSandbox } from './client.ts';
import type { Schema } from './routes.ts';

export type DrillResult = Schema<'DrillResult'>;

/** What the client under test receives. */
export interface DrillTask extends Schema<'DrillTask'> {
  /** Base address of the API. */
  readonly url: string;
  readonly key: string;
}

export interface DrillOutcome {
  readonly success: boolean;
  /** It crashed, or was stopped, without an outcome. */
  readonly crashed?: boolean;
  /** What it returned: a pet or a list for each step of the task, in order. */
  readonly results: readonly unknown[];
}

/** More than any task asks for; only the last ones count. */
const MOST_RESULTS = 10;
/** Of a list of the API. */
const MOST_PETS = 100;
/** How long the server may take to see that a client has left, in tries and milliseconds. */
const TRIES = 40;
const BETWEEN_MS = 50;

/**
 * @param anyone a client that may make keys
 * @param attempt lets the client do its task
 * @throws {ClientError} and what `attempt` throws
 */
export async function runDrill(
  anyone: ControlsClient,
  drill: string,
  attempt: (task: DrillTask) => Promise<DrillOutcome>,
  { strict = false }: { readonly strict?: boolean } = {},
): Promise<DrillResult> {
  const { key, sandbox } = await anyone.request('POST /keys', { body: { label: `drill ${drill}` } });
  let own = anyone.as(key).at(sandbox);
  try {
    const task = await own.request('PUT /drill', { body: { drill } });
    // The first key may be gone from now on.
    if (task.secondKey !== null) own = own.as(task.secondKey).at(sandbox);
    const { success, crashed = false, results } = await attempt({ ...task, url: own.apiUrl, key });
    const told = results.slice(-MOST_RESULTS).map(recognizable);
    await own.request('POST /drill/outcome', { body: { success, crashed, results: told } });
    return await settledResult(own, strict);
  } finally {
    await endSandbox(own);
  }
}

/** The results in what a client returned: of several steps, at least one returns a list. */
export function returnedResults(returned: unknown): readonly unknown[] {
  if (returned === undefined) return [];
  return Array.isArray(returned) && returned.some(Array.isArray) ? returned : [returned];
}

/** What tells pets apart: the rest of what a client returns may be anything, and refer to itself. */
function recognizable(result: unknown): unknown {
  if (Array.isArray(result)) return result.slice(0, MOST_PETS).map(recognizable);
  if (typeof result !== 'object' || result === null) return null;
  const { id, name } = result as { id?: unknown; name?: unknown };
  return { id: typeof id === 'object' ? null : id, name: typeof name === 'string' ? name : null };
}

/** The result of the drill under way, once the server has seen what the client did. @throws {ClientError} */
export async function settledResult(own: ControlsClient, strict: boolean): Promise<DrillResult> {
  for (let tries = 0; ; tries++) {
    const result = await own.request('GET /drill', { query: { strict } });
    if (tries === TRIES || result.checks.every(({ status }) => status !== 'open')) return result;
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_MS));
  }
}

// Whether a client that failed did so by a mistake of its own: it reported nothing then.

/**
 * Whether what a function threw is a mistake of its program, like a field of `undefined`. An error with a cause, like that of
 * `fetch`, tells of something else that failed.
 */
export const isMistake = (error: unknown): boolean =>
  error instanceof Error && error.cause === undefined && MISTAKES.has(error.name);

const MISTAKES = new Set(['TypeError', 'ReferenceError', 'RangeError']);

/** What runtimes print of an exception that nobody caught, and that is a mistake of the program. */
const UNCAUGHT: readonly RegExp[] = [
  // Node: the trace, and then its version.
  /^(?:TypeError|ReferenceError|RangeError)\b(?!: (?:fetch failed|terminated))[\s\S]*^Node\.js v\d/m,
  // Deno, Bun
  /^error: Uncaught (?:\(in promise\) )?(?:TypeError|ReferenceError|RangeError)\b/m,
  /^(?:TypeError|ReferenceError|RangeError)\b[\s\S]*^Bun v\d/m,
  // Python: the last line of the last traceback.
  / {2}File "[^"\n]*", line \d+[\s\S]*\n(?:TypeError|KeyError|AttributeError|IndexError|NameError|UnboundLocalError)\b[^\n]*\s*$/,
  // Java, Kotlin, .NET
  /^Exception in thread "[^"]*" java\.lang\.(?:NullPointer|ClassCast|IndexOutOfBounds|ArrayIndexOutOfBounds)Exception/m,
  /^Unhandled exception\. System\.(?:NullReference|InvalidCast|ArgumentOutOfRange|IndexOutOfRange|KeyNotFound)/m,
  // Go, Rust
  /^panic: runtime error: /m,
  /^thread '[^']*' (?:\(\d+\) )?panicked at /m,
  // Ruby, PHP
  /^\S+:\d+:in .*\((?:NoMethodError|TypeError|NameError|KeyError)\)/m,
  /^(?:PHP )?Fatal error: +Uncaught (?:TypeError|Error)\b/m,
];

/** Whether a program that failed printed such a trace to standard error. */
export const isUncaughtMistake = (stderr: string): boolean => UNCAUGHT.some((pattern) => pattern.test(stderr));
