/** `petstore-sandbox conform`: runs the black-box suite of the API against any server. */

import { type ConformOptions, conform } from '../conform/conform.ts';
import { conformResults } from '../conform/conform-results.ts';
import { type Acceptance, readIgnored, readKnownDifferences } from '../conform/known-differences.ts';
import { KeyRejected, NoPetstore } from '../conform/recognize.ts';
import { suite } from '../conform/suite.ts';
import { AbortController, type AbortSignal } from '../core/real-globals.ts';
import type { TextOptions } from '../report/formats/text.ts';
import type { FlagValues, LocalCall } from './command.ts';
import { readBase, readKey, trusted } from './connection.ts';
import type { CONFORM } from './flags.ts';
import { readKnown } from './known.ts';
import { formatOf, showResults } from './report.ts';
import { END_SIGNALS, takeSignals } from './signals.ts';
import { complain, EXIT, output, StatusLine } from './terminal.ts';

type ConformFlags = FlagValues<typeof CONFORM>;

const DIFFERENCES: TextOptions = { listed: ['failed', 'error'] };
const ALL: TextOptions = { listed: ['passed', 'failed', 'error', 'skipped', 'accepted'], full: true };

/**
 * Runs the suite and reports differences; returns the exit code.
 * @throws {SettingsError} for invalid flags or an unusable file
 */
export async function conformCommand({ flags, environment }: LocalCall<typeof CONFORM>): Promise<number> {
  const settings = await readSettings(flags, environment);
  const status = new StatusLine(environment);
  const interruption = stopOnSignals(status);
  try {
    const onCheck = (name: string, number: number, total: number): void =>
      status.show(`check ${number} of ${total}: ${name}`);
    const conformance = await conform({ ...settings, stop: interruption.signal, onCheck });
    status.clear();
    return await showResults(conformResults(conformance), flags, undefined, flags.verbose ? ALL : DIFFERENCES);
  } catch (error) {
    if (!(error instanceof NoPetstore || error instanceof KeyRejected)) throw error;
    const { message } = error;
    status.clear();
    if (formatOf(flags) === 'json')
      output({ json: true }).show({ url: settings.url, verdict: 'none', message }, () => []);
    else complain(message);
    return error instanceof KeyRejected ? EXIT.wrongUse : EXIT.notReached;
  } finally {
    status.clear();
    interruption.forget();
  }
}

async function readSettings(
  flags: ConformFlags,
  environment: NodeJS.ProcessEnv,
): Promise<Omit<ConformOptions, 'stop'>> {
  return {
    url: readBase(flags.url),
    ca: trusted(flags, environment)?.ca,
    key: readKey(flags.key, environment['SANDBOX_KEY']),
    timeoutMs: 1000 * flags.timeout,
    pauseMs: flags.pause,
    allowCreate: flags.allowCreate === true,
    ...(await readAcceptance(flags)),
  };
}

async function readAcceptance({ specificationOnly, ignore = [], knownDifferences }: ConformFlags): Promise<Acceptance> {
  // The names of the checks do not depend on the key.
  const checks = suite('').map(({ name }) => name);
  return {
    specificationOnly: specificationOnly === true,
    ignored: readIgnored(ignore),
    known: readKnownDifferences(await readKnown('--known-differences', knownDifferences), checks),
  };
}

/**
 * The first signal ends the run after the request in flight, so that every created pet is listed; a second one exits
 * immediately.
 */
function stopOnSignals(status: StatusLine): { signal: AbortSignal; forget(): void } {
  const controller = new AbortController();
  const stop = (): void => {
    if (controller.signal.aborted) process.exit(EXIT.failed);
    controller.abort();
    status.clear();
    complain('stopping after this request; once more ends it at once');
  };
  return { signal: controller.signal, forget: takeSignals(END_SIGNALS, stop) };
}
