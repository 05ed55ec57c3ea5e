/** Selects the server and the credential of a command, and maps its outcome to an exit code. */
import type { ControlsClient } from '../client/client.ts';
import { ClientError } from '../client/errors.ts';
import { connectTo } from '../core/trusting.ts';
import { SettingsError } from '../server/settings.ts';
import { type Output, output } from './output.ts';
import { complain, EXIT } from './problems.ts';
import { serverAddress } from './server-address.ts';
import { hintFor, type Trusted, trusted } from './trusted.ts';

/** The flags of every command that connects to a server. */
export interface ConnectionFlags {
  readonly url?: string;
  /** The file of a certificate to trust. */
  readonly cacert?: string;
  readonly key?: string;
  readonly adminToken?: string;
  readonly sandbox?: string;
  readonly json?: boolean;
}

/** The input of a command. */
export interface CommandCall<Flags> {
  readonly client: ControlsClient;
  readonly flags: Flags & ConnectionFlags;
  /** The positional arguments. */
  readonly args: readonly string[];
  readonly out: Output;
  readonly environment: NodeJS.ProcessEnv;
  /** The certificate that the client trusts, for the clients that a command runs. */
  readonly certificate: Trusted | undefined;
}

/** A command. @returns the exit code, if it is not 0 */
export type CommandRun<Flags> = (call: CommandCall<Flags>) => Promise<number | undefined>;

/**
 * The role of a command: `sandbox` with a key (or as the admin, who names a sandbox), `anyone` with the admin token if
 * there is one, since a server may restrict new keys to the admin.
 */
export type As = 'sandbox' | 'anyone';

/** Far longer than any control takes. */
const TIMEOUT_MS = 60_000;

/**
 * Runs a command against the server that flags and environment name; returns the exit code.
 * @throws {SettingsError} for invalid flags or environment variables
 */
export async function runConnected<Flags>(
  run: CommandRun<Flags>,
  { flags, args, environment, as }: Pick<CommandCall<Flags>, 'flags' | 'args' | 'environment'> & { as: As },
): Promise<number> {
  const certificate = trusted(flags, environment);
  const client = await connectTo({
    url: serverAddress(flags.url, environment),
    ca: certificate?.ca,
    credential: credentialOf(flags, environment, as),
    sandbox: flags.sandbox,
    timeoutMs: TIMEOUT_MS,
  });
  const out = output({ json: flags.json === true });
  try {
    return (await run({ client, flags, args, out, environment, certificate })) ?? EXIT.done;
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    return showError(error, flags);
  }
}

/** Reports an error; returns the exit code. */
function showError(error: ClientError, { json }: ConnectionFlags): number {
  const { code, message, status, body } = error;
  if (json) output({ json }).show(body ?? { code, message, status }, () => []);
  else complain(code === 'not_reached' ? `${message}; ${hintFor(message)}` : message);
  return exitCodeOf(error);
}

/** An invalid call is an error of the caller; anything else, of the server. */
export function exitCodeOf({ code, status }: ClientError): number {
  if (code === 'not_reached' || code === 'unexpected_response' || status >= 500) return EXIT.notReached;
  return EXIT.wrongUse;
}

/** Flags override the environment; within each, a key overrides the admin token unless a sandbox is named. */
function credentialOf(flags: ConnectionFlags, environment: NodeJS.ProcessEnv, as: As): string | undefined {
  if (flags.key !== undefined && flags.adminToken !== undefined) {
    throw new SettingsError('--key and --admin-token contradict each other; give one of them');
  }
  if (flags.adminToken !== undefined) return readSecret(flags.adminToken, '--admin-token');
  if (flags.key !== undefined) {
    if (flags.sandbox !== undefined) throw new SettingsError('--sandbox needs the admin token; a key opens its own');
    return readSecret(flags.key, '--key');
  }
  const [key, adminToken] = [environment['SANDBOX_KEY'], environment['SANDBOX_ADMIN_TOKEN']];
  const admin = adminToken ? readSecret(adminToken, 'SANDBOX_ADMIN_TOKEN') : undefined;
  if (as === 'anyone') return admin;
  if (flags.sandbox === undefined && key) return readSecret(key, 'SANDBOX_KEY');
  if (admin !== undefined) return admin;
  if (flags.sandbox !== undefined)
    throw new SettingsError('--sandbox needs the admin token; give it with --admin-token or SANDBOX_ADMIN_TOKEN');
  throw new SettingsError(
    'which sandbox? Give its key with --key or SANDBOX_KEY; "petstore-sandbox keys create" makes one',
  );
}

/** Errors never quote a secret. */
function readSecret(text: string, source: string): string {
  if (/^[A-Za-z0-9\-._~+/]{16,256}={0,2}$/.test(text)) return text;
  throw new SettingsError(`${source} must be 16 to 256 characters of A-Z a-z 0-9 - . _ ~ + /`);
}
