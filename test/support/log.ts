/** A log that keeps what it is told, and knows which errors a test has announced. */
import type { Log } from '../../src/base/log.ts';

export interface LogLine {
  readonly level: keyof Log;
  readonly details: object;
  readonly message: string;
}

export class KeptLog implements Log {
  readonly lines: LogLine[] = [];
  readonly #expected: { readonly pattern: RegExp; met: number }[] = [];
  readonly #unexpected: string[] = [];

  error = (details: object, message: string): void => this.#keep('error', details, message);
  warn = (details: object, message: string): void => this.#keep('warn', details, message);
  info = (details: object, message: string): void => this.#keep('info', details, message);
  debug = (details: object, message: string): void => this.#keep('debug', details, message);

  /** Announces error lines whose message matches: at least one must come. */
  expect(pattern: RegExp): void {
    this.#expected.push({ pattern, met: 0 });
  }

  /** What went wrong since the last call; what was announced until now is forgotten with it. */
  take(): { readonly troubles: readonly string[]; readonly announced: number } {
    const expected = this.#expected.splice(0);
    const unmet = expected.filter(({ met }) => met === 0);
    return {
      troubles: [
        ...this.#unexpected.splice(0),
        ...unmet.map(({ pattern }) => `no error was logged that matches ${pattern}`),
      ],
      announced: expected.reduce((sum, { met }) => sum + met, 0),
    };
  }

  #keep(level: keyof Log, details: object, message: string): void {
    this.lines.push({ level, details, message });
    if (level !== 'error') return;
    const expected = this.#expected.find(({ pattern }) => pattern.test(message));
    if (expected) expected.met += 1;
    else this.#unexpected.push(`an error was logged: ${message} ${inWords(details)}`);
  }
}

/** Errors have no members of their own that JSON would show. */
const inWords = (details: object): string =>
  JSON.stringify(details, (_, value) => (value instanceof Error ? value.stack : value));
