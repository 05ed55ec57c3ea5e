/** `petstore-sandbox conform`: puts the black-box suite of the interface to any server. */
import { SettingsError } from '../config.ts';
import { type Conformance, conform, KeyRefused, NotReached } from '../conform/conform.ts';
import { summaryLines, Teller } from '../conform/text.ts';
import { EXIT } from './exit-codes.ts';
import { complain, output } from './output.ts';
import { END_SIGNALS, takeSignals } from './signals.ts';

/** As given on the command line. */
export interface ConformFlags {
  readonly url?: string;
  readonly key?: string;
  readonly allowCreate?: boolean;
  readonly json?: boolean;
  /** Seconds. */
  readonly timeout: string;
  /** Milliseconds. */
  readonly pause: string;
}

const MAX_TIMEOUT_SECONDS = 300;
const MAX_PAUSE_MS = 60_000;

/**
 * Looks at the server and says where it differs; returns the exit code.
 *
 * @throws {SettingsError} for flags that fit nothing
 */
export async function conformCommand(flags: ConformFlags, environment: NodeJS.ProcessEnv): Promise<number> {
  const settings = {
    url: readBase(flags.url),
    key: readKey(flags.key, environment['SANDBOX_KEY']),
    timeoutMs: 1000 * readNumber('--timeout', flags.timeout, 0.1, MAX_TIMEOUT_SECONDS, 'seconds'),
    pauseMs: readNumber('--pause', flags.pause, 0, MAX_PAUSE_MS, 'milliseconds'),
    allowCreate: flags.allowCreate === true,
  };
  const interruption = stopOnSignals();
  const teller = new Teller();
  const json = flags.json === true;
  const out = output({ json });
  try {
    const conformance = await conform({
      ...settings,
      stop: interruption.signal,
      onResult: (result) => json || out.show(result, () => teller.linesOf(result)),
    });
    out.show(conformance, () => summaryLines(conformance));
    return exitCodeOf(conformance);
  } catch (error) {
    if (!(error instanceof NotReached || error instanceof KeyRefused)) throw error;
    if (json) out.show({ url: settings.url, verdict: 'none', message: error.message }, () => []);
    else complain(error.message);
    return error instanceof KeyRefused ? EXIT.wrongUse : EXIT.notReached;
  } finally {
    interruption.forget();
  }
}

const exitCodeOf = ({ verdict }: Conformance): number => (verdict === 'conforms' ? EXIT.done : EXIT.failed);

/**
 * The first signal ends the run after the request that is under way, so that every pet that was made is told of; a
 * second one ends the program at once.
 */
function stopOnSignals(): { signal: AbortSignal; forget(): void } {
  const controller = new AbortController();
  const stop = (): void => {
    if (controller.signal.aborted) process.exit(EXIT.failed);
    controller.abort();
    complain('stopping after this request; once more ends it at once');
  };
  return { signal: controller.signal, forget: takeSignals(END_SIGNALS, stop) };
}

function readBase(text: string | undefined): string {
  const parsed = text !== undefined && URL.canParse(text) ? new URL(text) : undefined;
  if (
    parsed &&
    /^https?:$/.test(parsed.protocol) &&
    parsed.search + parsed.hash + parsed.username + parsed.password === ''
  ) {
    const base = parsed.href.replace(/\/+$/, '');
    if (base.endsWith('/v1')) return base;
  }
  const got = text === undefined ? 'nothing' : JSON.stringify(text.replace(/\/\/.*@/, '//…@'));
  throw new SettingsError(`--url must be the base address of the interface, like https://example.com/v1; got ${got}`);
}

/** The key itself is never told, not even a wrong one. */
function readKey(flag: string | undefined, variable: string | undefined): string {
  const key = flag ?? variable;
  if (!key) throw new SettingsError('a key is needed: give it with --key or SANDBOX_KEY');
  if (/^[\x21-\x7e]{8,4096}$/.test(key)) return key;
  throw new SettingsError(
    `${flag === undefined ? 'SANDBOX_KEY' : '--key'} must be 8 to 4096 visible ASCII characters without spaces`,
  );
}

function readNumber(flag: string, text: string, min: number, max: number, unit: string): number {
  const value = /^\d{1,6}(?:\.\d{1,3})?$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new SettingsError(`${flag} must be ${unit} from ${min} to ${max}; got ${JSON.stringify(text)}`);
}
