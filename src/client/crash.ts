/** Whether a client that failed did so by a mistake of its own: it reported nothing then. */

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
