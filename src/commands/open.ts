/** `petstore-sandbox open recording.jsonl`: a server in memory with the sandbox of a recording, until Ctrl-C. */

import { printable } from '../client/text.ts';
import { ApiError } from '../core/errors.ts';
import { silentLog } from '../core/log.ts';
import { openRecording } from '../recording/open.ts';
import { resolveSettings } from '../server/config.ts';
import { startServer } from '../server/server.ts';
import { SettingsError } from '../server/settings.ts';
import { complain } from './problems.ts';
import { recordingInFile } from './recording-file.ts';
import { stopOnSignals } from './stopping.ts';

export interface OpenFlags {
  readonly port?: string;
}

/** @throws {SettingsError} for a file that is no recording */
export async function open(file: string, { port = '0' }: OpenFlags): Promise<void> {
  const found = await recordingInFile(file);
  if (!/^\d{1,5}$/.test(port)) throw new SettingsError('--port must be a port number');
  const settings = resolveSettings([{ port: Number(port), memory: true, maxPets: 10_000_000 }]);
  const onFatal = (error: Error): void => {
    complain(`the server stopped: ${error.message}`);
    process.exitCode = 1;
  };
  const server = await startServer({ settings, log: silentLog, onFatal });
  const { url, sandboxes, fixtures, histories } = server;
  try {
    const { secret } = await openRecording(found, { sandboxes, fixtures, histories }, { ttlSeconds: null });
    stopOnSignals(server, { ...silentLog, info: () => undefined });
    process.stdout.write(linesFor(url, secret, file).map(printable).join('\n').concat('\n'));
  } catch (error) {
    await server.close();
    if (!(error instanceof ApiError)) throw error;
    throw new SettingsError(`${file}: ${error.message}`, { cause: error });
  }
}

const linesFor = (url: string, key: string, file: string): string[] => [
  '',
  `  recording  ${file}`,
  `  dashboard  ${url}/`,
  `  API        ${url}/v1`,
  `  key        ${key}`,
  '',
  `  curl -H 'Authorization: Bearer ${key}' ${url}/v1/pets`,
  '',
  '  Ctrl-C ends it; nothing is kept.',
  '',
];
