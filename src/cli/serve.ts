/** `petstore-sandbox serve`: runs a server until it is stopped. */

import { type Logger, pino } from 'pino';
import { hashOf } from '../base/api/api-key.ts';
import { paragraph } from '../base/layout.ts';
import { collectStart, keepHeapsSmall, LEAST_MEMORY, type MemoryPlan, planForProcess } from '../base/memory.ts';
import { readEnvironment, readLevel, resolveSettings } from '../base/settings/config.ts';
import type { Settings } from '../base/settings/settings.ts';
import { version } from '../base/shipped.ts';
import type { Opened } from '../sandbox/sandbox.ts';
import { signInLink } from '../sandbox/sign-in-codes.ts';
import { isAllAddresses } from '../server/http/listening.ts';
import { isWrongSetting, type RunningServer, startServer } from '../server/server.ts';
import type { RequestLine } from '../traffic/remarks.ts';
import { bannerOf, signsInOnce } from './shell.ts';
import { stopOnSignals } from './signals.ts';
import { complainOf, EXIT, screenBehind } from './terminal.ts';

/** During shutdown, a client that sends at least once a second is asked to disconnect before it is cut off. */
const IDLE_MS = 1_000;

/**
 * Serves with the settings of the flags, the environment and the defaults, until it is stopped; returns the exit code of
 * a server that did not start.
 */
export async function serve(
  flags: Readonly<Record<string, unknown>>,
  environment: NodeJS.ProcessEnv,
): Promise<number | undefined> {
  try {
    const given = readLevel(flags, ({ flag }) => flag.split(' ')[0] as string);
    const { level, warnings, image } = readEnvironment(environment);
    await run(resolveSettings([given, level], { image }), warnings);
    return undefined;
  } catch (error) {
    if (!isWrongSetting(error)) throw error;
    complainOf(error);
    return EXIT.wrongUse;
  }
}

async function run(settings: Settings, warnings: readonly string[]): Promise<void> {
  const memory = planForProcess();
  keepHeapsSmall(memory);
  const log = await createLog(settings);
  for (const warning of [...warnings, ...memoryWarnings(settings, memory)]) log.warn(warning);
  const forPeople = settings.logFormat === 'pretty';
  const server = await startServer({
    settings,
    log,
    memory,
    readyKey: forPeople,
    idleMs: IDLE_MS,
    print: forPeople && process.stdout.isTTY && !settings.quiet ? printLine : undefined,
    onFatal: (err) => {
      log.fatal({ err }, 'the server stopped');
      process.exitCode = 1;
    },
  });
  stopOnSignals(server, log);
  void server.validator.ready.then(collectStart, () => undefined);
  if (forPeople) {
    process.stdout.write(banner(server, settings));
    return;
  }
  const { url, host, store, certificate } = server;
  const tls = certificate && { certificate: { file: certificate.file, sha256: certificate.fingerprint } };
  log.info({ url, host, ...tls, version, store: store.kind, memory }, 'listening');
}

const SIGNS = { good: '✓ ', warn: '! ', bad: '✗ ' } as const;

const printLine = ({ text, tone }: RequestLine): void =>
  void process.stdout.write(`${paragraph(SIGNS[tone], [text, tone], screenBehind(process.stdout)).join('\n')}\n`);

/** Warnings about settings that exceed the available memory. */
function memoryWarnings({ maxBytes }: Settings, { limit, mostPets }: MemoryPlan): string[] {
  const mib = (bytes: number): string => `${Math.floor(bytes / 2 ** 20)} MiB`;
  return [
    ...(limit.bytes < LEAST_MEMORY
      ? [`there are ${mib(limit.bytes)} of memory, and at least ${mib(LEAST_MEMORY)} are needed`]
      : []),
    ...(maxBytes !== undefined && maxBytes > mostPets
      ? [`--max-bytes is ${mib(maxBytes)}, but ${mib(limit.bytes)} of memory have room for ${mib(mostPets)} of pets`]
      : []),
  ];
}

function banner(
  { url, host, readyKey, adminToken, certificate, sandboxes, signInCodes }: RunningServer,
  { publicUrl, adminToken: ownToken, data, logLevel }: Settings,
): string {
  const base = publicUrl ?? url;
  const key = readyKey as string;
  const { id } = (sandboxes.open(hashOf(key)) as Opened).sandbox;
  const cacert = certificate?.isSelfSigned ? certificate.file : undefined;
  const rows: [name: string, text: string][] = [
    ['API', `${base}/${id}/v1  (petstore sandbox ${version})`],
    ['dashboard', signsInOnce(signInLink(base, signInCodes.issue(id, key).code))],
    ['key', key],
    ['data', data ?? 'in memory (not saved)'],
  ];
  if (isAllAddresses(host)) rows.push(['listening', `on all addresses of this machine (${host}), not only this one`]);
  if (certificate) rows.push(['certificate', `SHA-256 ${certificate.fingerprint}`]);
  if (logLevel === 'debug' && ownToken === undefined) rows.push(['admin token', shownToken(adminToken)]);
  rows.push(['stop', 'Ctrl-C']);
  return bannerOf(rows, { base: `${base}/${id}`, key, cacert });
}

/** Many people can read a file or a log, and the token gives access to all sandboxes: only a terminal shows it. */
const shownToken = (token: string): string =>
  process.stdout.isTTY ? token : 'not shown outside a terminal; set it yourself with SANDBOX_ADMIN_TOKEN';

/**
 * A logger with the given level and format. It writes synchronously to standard output, so that nothing is lost at
 * exit.
 */
async function createLog({ logLevel, logFormat }: Pick<Settings, 'logLevel' | 'logFormat'>): Promise<Logger> {
  const options = { level: logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  if (logFormat === 'json') return pino(options, pino.destination({ dest: 1, sync: true }));
  const { default: pretty } = await import('pino-pretty');
  return pino(
    options,
    pretty({
      destination: 1,
      sync: true,
      colorize: screenBehind(process.stdout).color,
      translateTime: 'SYS:HH:MM:ss',
    }),
  );
}
