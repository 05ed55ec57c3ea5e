/** `open` shows the sandbox of a recording. */

import { ApiError } from '../base/api/errors.ts';
import { MAX_RECORDING_BYTES } from '../base/limits.ts';
import { silentLog } from '../base/log.ts';
import { resolveSettings } from '../base/settings/config.ts';
import { SettingsError } from '../base/settings/settings.ts';
import { fileName } from '../base/text.ts';
import { signInLink } from '../sandbox/sign-in-codes.ts';
import { openRecording } from '../traffic/files/open.ts';
import { readRecording } from '../traffic/files/read.ts';
import { rejectUnknownDrill } from '../verdict/drills/catalog.ts';
import { naming } from './har.ts';
import { lastRun } from './kept-run.ts';
import { bannerOf, signsInOnce } from './shell.ts';
import { stopOnSignals } from './signals.ts';
import { complain, readBytes } from './terminal.ts';

/**
 * @param given a file; by default the last run of this project
 * @throws {SettingsError} for a file that isn't a recording
 */
export async function open(
  given: string | undefined,
  port: number,
  environment: NodeJS.ProcessEnv,
): Promise<undefined> {
  const kept = given === undefined ? await lastRun(environment) : undefined;
  const file = given ?? (kept?.file as string);
  const bytes = kept?.recording ?? (await readBytes(fileName(file), file, MAX_RECORDING_BYTES));
  const found = await naming(file, readRecording(bytes));
  const settings = resolveSettings([{ port, memory: true, maxPets: 10_000_000 }]);
  const onFatal = (error: Error): void => {
    complain(`the server stopped: ${error.message}`);
    process.exitCode = 1;
  };
  const { startServer } = await import('../server/server.ts');
  const server = await startServer({ settings, log: silentLog, onFatal });
  const { url, sandboxes, fixtures, requestLogs, signInCodes } = server;
  try {
    rejectUnknownDrill(found.state);
    const { secret, sandbox } = await openRecording(found, { sandboxes, fixtures, requestLogs }, null);
    stopOnSignals(server, { ...silentLog, info: () => undefined });
    const banner = bannerOf(
      [
        ['recording', kept?.about ?? file],
        ['dashboard', signsInOnce(signInLink(url, signInCodes.issue(sandbox.id, secret).code))],
        ['API', `${url}/${sandbox.id}/v1`],
        ['key', secret],
        ['stop', 'Ctrl-C; nothing is kept'],
      ],
      { base: `${url}/${sandbox.id}`, key: secret },
    );
    process.stdout.write(banner);
    return undefined;
  } catch (error) {
    await server.close();
    if (!(error instanceof ApiError)) throw error;
    throw new SettingsError(`${file}: ${error.message}`, { cause: error });
  }
}
