/** The server of a command, the credential and the certificate that it uses, and the exit code of an error. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { withoutPath } from '../base/files.ts';
import { controlFields } from '../base/generated/facts.ts';
import { silentLog } from '../base/log.ts';
import { ownCommand } from '../base/own-command.ts';
import { readEnvironment, readLevel, resolveSettings } from '../base/settings/config.ts';
import { SETTINGS, type Setting, SettingsError, secret } from '../base/settings/settings.ts';
import { fileName, isAndGiven } from '../base/text.ts';
import { ClientError } from '../client/errors.ts';
import type { ControlRoute } from '../client/routes.ts';
import { connectTo } from '../client/trusting.ts';
import { reachedAt } from '../server/http/listening.ts';
import type { RunningServer } from '../server/server.ts';
import type { As, Call, Command, FlagValues, LocalCall } from './command.ts';
import { type CONNECTION, STARTED_WITH } from './flags.ts';
import { cacheHere, proxyIn, withoutProxyFor } from './proxies.ts';
import { complain, EXIT, output } from './terminal.ts';

/** Far longer than any control takes. */
const TIMEOUT_MS = 60_000;

/** The values of the flags of every command that connects to a server. */
type ConnectionFlags = FlagValues<typeof CONNECTION>;

/**
 * Runs a command against the server that flags and environment name, or with `--start` against one of its own; returns
 * the exit code.
 * @throws {SettingsError} for invalid flags or environment variables
 */
export async function runConnected(command: Command, call: LocalCall<typeof CONNECTION>): Promise<number | undefined> {
  if ('start' in call.flags && call.flags.start === true) return onOwnServer(command, call);
  const given: object = call.flags;
  const unused = 'start' in command.flags && STARTED_WITH.find((name) => Object.hasOwn(given, name));
  if (unused) throw new SettingsError(`${flagOf(SETTINGS[unused])} has an effect with --start`);
  return onServer(command, call);
}

async function onServer(
  row: Command,
  { flags, args, environment }: LocalCall<typeof CONNECTION>,
  certificate: Trusted | undefined = trusted(flags, environment),
  callLocally?: RunningServer['callLocally'],
): Promise<number | undefined> {
  const { run, as, control } = row;
  const client = await connectTo({
    callLocally,
    url: serverAddress(flags.url, environment),
    ca: certificate?.ca,
    credential: credentialOf(flags, environment, as),
    sandbox: flags.sandbox,
    timeoutMs: TIMEOUT_MS,
  });
  const known: object = (controlFields as Partial<Record<ControlRoute, object>>)[control as ControlRoute] ?? {};
  const fields = Object.fromEntries(Object.entries(flags).filter(([name]) => Object.hasOwn(known, name)));
  try {
    return await run({
      client,
      flags,
      fields,
      args,
      out: output({ json: flags.json === true }),
      environment,
      certificate,
    });
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    return showError(error, flags, row);
  }
}

/** Reports an error of the server, in the words of the command; returns the exit code. */
function showError(error: ClientError, flags: ConnectionFlags, row: Command): number {
  const { json = false } = flags;
  const { code, message, status, body } = error;
  if (json) output({ json }).show(body ?? { code, message, status }, () => []);
  else if (code === 'payload_too_large' && 'fixtureFile' in flags && flags.fixtureFile !== undefined)
    complain(
      `--fixture-file ${fileName(String(flags.fixtureFile))} is too large: ${message}; put it into the directory of --fixtures, or SANDBOX_FIXTURES, and name it with --fixture`,
    );
  else
    complain(
      code === 'not_reached' ? `${message}; ${unreachedHint(message, 'start' in row.flags)}` : inFlags(message, row),
    );
  return exitCodeOf(error);
}

/** An invalid call is an error of the caller; anything else, of the server. */
export function exitCodeOf({ code, status }: ClientError): number {
  if (code === 'not_reached' || code === 'unexpected_response' || status >= 500) return EXIT.notReached;
  return EXIT.wrongUse;
}

/** Flags override the environment, in which a key overrides the admin token unless a sandbox is named. */
function credentialOf(flags: ConnectionFlags, environment: NodeJS.ProcessEnv, as: As | undefined): string | undefined {
  if (flags.adminToken !== undefined) return readSecret(flags.adminToken, '--admin-token');
  if (flags.key !== undefined) return readSecret(flags.key, '--key');
  // As in an address: files and shells leave a line break at the end.
  const [key, adminToken] = [environment['SANDBOX_KEY']?.trimEnd(), environment['SANDBOX_ADMIN_TOKEN']?.trimEnd()];
  const isForKey = as !== 'anyone' && flags.sandbox === undefined;
  if (key && isForKey) return readSecret(key, 'SANDBOX_KEY');
  if (adminToken) return readSecret(adminToken, 'SANDBOX_ADMIN_TOKEN');
  if (as !== 'sandbox') return undefined;
  throw new SettingsError(
    `which sandbox? Give its key with --key or SANDBOX_KEY; "${ownCommand('keys create')}" makes one. --sandbox needs the admin token`,
  );
}

/** Errors never quote a secret. */
function readSecret(text: string, source: string): string {
  try {
    return secret(text);
  } catch (cause) {
    throw new SettingsError(`${source} ${(cause as Error).message}`, { cause });
  }
}

/**
 * Runs a command against a temporary server: in memory, on a free port. Its validator is loaded meanwhile. It takes some
 * settings of `serve`.
 */
async function onOwnServer(
  command: Command,
  { flags, args, environment }: LocalCall<typeof CONNECTION>,
): Promise<number | undefined> {
  const { level } = readEnvironment(environment);
  // A flag of the command with the name of another setting means its sandbox.
  const given = readLevel(pick(flags, STARTED_WITH), flagOf);
  const fromEnvironment = pick(level, [...STARTED_WITH, 'fixture', 'tlsCert', 'tlsKey']);
  const settings = resolveSettings([{ port: 0, memory: true }, given, fromEnvironment]);
  const onFatal = (error: Error): void => complain(`the server stopped: ${error.message}`);
  const { startServer, isWrongSetting } = await import('../server/server.ts');
  const server = await startServer({ settings, log: silentLog, onFatal }).catch((error) => {
    throw isWrongSetting(error) ? new SettingsError(error.message, { cause: error }) : error;
  });
  try {
    // Credentials in the environment are for another server.
    const { SANDBOX_ADMIN_TOKEN: _, SANDBOX_KEY: __, ...rest } = environment;
    const own = server.certificate?.isSelfSigned ? server.certificate : undefined;
    const certificate = own && { file: own.file, ca: own.cert };
    const call = { flags: { ...flags, url: server.url }, args, environment: rest };
    // Over HTTP, the validator would check these calls as well: half of the processor time of a short command.
    return await onServer(command, call, certificate, server.callLocally);
  } finally {
    // All that it had is in memory, and done with: what is slow to stop is no failure of the command.
    await server.close().catch(() => undefined);
  }
}

const flagOf = ({ flag }: Setting): string => flag.split(' ')[0] as string;

const pick = (values: object, names: readonly string[]) =>
  Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));

/** The API's base address, ending in `/v1`, which is added where it is missing. @throws {SettingsError} */
export function readBase(text: string | undefined, source = '--url'): string {
  const parsed = text !== undefined && URL.canParse(text) ? new URL(text) : undefined;
  if (
    parsed &&
    /^https?:$/.test(parsed.protocol) &&
    parsed.search + parsed.hash + parsed.username + parsed.password === ''
  )
    return `${parsed.href.replace(/\/+$/, '').replace(/\/v1$/, '')}/v1`;
  throw new SettingsError(
    `${source} ${isAndGiven('the base address of the API, like http://127.0.0.1:4020/v1', text ?? '')}`,
  );
}

/**
 * The server's address, without `/v1`: from the API's base in `--url`, otherwise from that in `SANDBOX_URL`, otherwise
 * the address where a server with this environment would listen.
 * @throws {SettingsError} for an invalid address
 */
export function serverAddress(url: string | undefined, environment: NodeJS.ProcessEnv): string {
  const variable = environment['SANDBOX_URL'];
  if (url !== undefined) return readBase(url).slice(0, -'/v1'.length);
  if (variable) return readBase(variable, 'SANDBOX_URL').slice(0, -'/v1'.length);
  const { level, image } = readEnvironment(environment);
  const { host, port, tls, tlsCert } = resolveSettings([level], { image });
  if (port === 0) throw new SettingsError('SANDBOX_PORT=0 takes any free port; name the server with --url');
  return reachedAt({ host, port, scheme: tls === 'self-signed' || tlsCert !== undefined ? 'https' : 'http' });
}

/** The file of a certificate, and its text. */
type Trusted = NonNullable<Call['certificate']>;

/**
 * The certificate of `--cacert`, otherwise of `SANDBOX_CACERT`. If neither is given, and no server is named, that of
 * the server with this environment, if it keeps one.
 * @throws {SettingsError} naming the file, if it cannot be read
 */
export function trusted(
  { cacert, url }: { readonly cacert: string | undefined; readonly url: string | undefined },
  environment: NodeJS.ProcessEnv,
): Trusted | undefined {
  if (cacert !== undefined) return readCertificate(cacert, '--cacert');
  const variable = environment['SANDBOX_CACERT'];
  if (variable) return readCertificate(variable, 'SANDBOX_CACERT');
  if (url !== undefined || environment['SANDBOX_URL']) return undefined;
  const { level, image } = readEnvironment(environment);
  const { tls, data } = resolveSettings([level], { image });
  const file = join(data ?? '', 'tls-cert.pem');
  const isThere = tls === 'self-signed' && data !== undefined && existsSync(file);
  return isThere ? readCertificate(file, 'the data directory') : undefined;
}

function readCertificate(path: string, source: string): Trusted {
  const file = resolve(path);
  let ca: string;
  try {
    // A pipe might never end.
    if (!statSync(file).isFile()) throw new Error('it is not a regular file');
    ca = readFileSync(file, 'utf8');
  } catch (cause) {
    throw new SettingsError(`${source}: ${fileName(path)} cannot be read: ${withoutPath(cause as Error)}`, { cause });
  }
  if (ca.includes('-----BEGIN CERTIFICATE-----')) return { file, ca };
  throw new SettingsError(`${source}: ${fileName(path)} holds no certificate in PEM`);
}

/**
 * The environment of the client under test, which is a client like any other: the operator's token is not for it. Node adds
 * such a certificate to those that it trusts. @param url of the server
 */
export const variablesFor = (
  { url, certificate }: { readonly url: string; readonly certificate: Trusted | undefined },
  { SANDBOX_ADMIN_TOKEN: _, ...environment }: NodeJS.ProcessEnv,
): NodeJS.ProcessEnv => ({
  ...environment,
  ...withoutProxyFor(url, environment),
  ...(certificate?.file !== undefined && {
    SANDBOX_CACERT: certificate.file,
    NODE_EXTRA_CA_CERTS: environment['NODE_EXTRA_CA_CERTS'] || certificate.file,
  }),
});

/** Why a command may have sent nothing to an address, in words. */
export const nothingSent = (address: string, environment: NodeJS.ProcessEnv): readonly string[] =>
  [
    `your command sent nothing to ${address}: does it read SANDBOX_URL?`,
    proxyIn(environment) ?? [],
    cacheHere() ?? [],
  ].flat();

/** Why a server was not reached, and what to do about it. */
export const unreachedHint = (message: string, canStart = false): string =>
  /SELF_SIGNED_CERT|UNABLE_TO_VERIFY_LEAF|UNABLE_TO_GET_ISSUER|self-signed certificate/.test(message)
    ? 'trust its certificate with --cacert'
    : `start it, ${canStart ? 'let this command bring its own with --start, ' : ''}or name another with --url`;

// Messages of the control API in the words of the command line: flags instead of fields, commands instead of endpoints.

/** Endpoints that messages name. */
const COMMAND_OF: Readonly<Record<string, string>> = {
  'GET /_sandbox/fixtures': 'fixtures list',
  'GET /_sandbox/keys': 'keys list',
  'POST /_sandbox/keys': 'keys create',
  'GET /_sandbox/faults': 'faults list',
  'PUT /_sandbox/clock with now': 'clock set',
};

/** A message of the server for the user of a command: `--status is an integer …` of `body/status is an integer …`. */
function inFlags(message: string, { name: command, arguments: [argument] = [], flags }: Command): string {
  const flagOf = (name: string): string | undefined =>
    Object.hasOwn(flags, name) ? flags[name]?.flag.split(' ')[0] : undefined;
  // The words of a specification are no fields of a call: `in` is that of a parameter.
  if ('spec' in flags && message.startsWith('body: ')) return message.replace('body', '--spec');
  return message
    .replaceAll(/(?:GET|POST|PUT) \/_sandbox\/\w+(?: with now)?/g, (endpoint) =>
      COMMAND_OF[endpoint] === undefined ? endpoint : `"${ownCommand(COMMAND_OF[endpoint])}"`,
    )
    .replace(/^body(?= (?:needs|must not have) )/, command)
    .replaceAll(/\b(?:body|query|path)\/(\w+)/g, (place, name: string) => flagOf(name) ?? argument?.[0] ?? place)
    .replaceAll(/`(\w+)`/g, (text, name: string) => flagOf(name) ?? text);
}
