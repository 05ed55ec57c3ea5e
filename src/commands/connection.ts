/** Which server a command talks to, as whom, and what its exit code says of the outcome. */
import { ControlsClient } from '../client/client.ts';
import { ClientError } from '../client/errors.ts';
import { SettingsError } from '../config.ts';
import { EXIT } from './exit-codes.ts';
import { complain, type Output, output } from './output.ts';
import { serverAddress } from './server-address.ts';

/** The flags of every command that talks to a server. */
export interface ConnectionFlags {
  readonly url?: string;
  readonly key?: string;
  readonly adminToken?: string;
  readonly sandbox?: string;
  readonly json?: boolean;
}

/** What a command is handed. */
export interface CommandCall<Flags> {
  readonly client: ControlsClient;
  readonly flags: Flags & ConnectionFlags;
  /** The arguments that are no flags. */
  readonly args: readonly string[];
  readonly out: Output;
  readonly environment: NodeJS.ProcessEnv;
}

/** A command. @returns the exit code, where it is not 0 */
export type CommandRun<Flags> = (call: CommandCall<Flags>) => Promise<number | undefined>;

/**
 * As whom a command comes: `sandbox` with a key (or as the admin, who names a sandbox), `anyone` with the admin token
 * where there is one, since a server may give out keys to the admin alone.
 */
export type As = 'sandbox' | 'anyone';

/** No control takes nearly as long. */
const TIMEOUT_MS = 60_000;

/**
 * Runs a command against the server that flags and environment name; returns the exit code.
 *
 * @throws {SettingsError} for flags or an environment that fit nothing
 */
export async function runConnected<Flags>(
  run: CommandRun<Flags>,
  { flags, args, environment, as }: Pick<CommandCall<Flags>, 'flags' | 'args' | 'environment'> & { as: As },
): Promise<number> {
  const client = new ControlsClient({
    url: serverAddress(flags.url, environment),
    credential: credentialOf(flags, environment, as),
    sandbox: flags.sandbox,
    timeoutMs: TIMEOUT_MS,
  });
  const out = output({ json: flags.json === true });
  try {
    return (await run({ client, flags, args, out, environment })) ?? EXIT.done;
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    return tell(error, flags);
  }
}

/** Says what went wrong; returns the exit code. */
export function tell(error: ClientError, { json }: ConnectionFlags): number {
  const { code, message, status, body } = error;
  if (json) output({ json }).show(body ?? { code, message, status }, () => []);
  else complain(code === 'not_reached' ? `${message}; start it, or name another with --url` : message);
  return exitCodeOf(error);
}

/** A wrong call is the caller's to mend; anything else, the server's. */
export function exitCodeOf({ code, status }: ClientError): number {
  if (code === 'not_reached' || code === 'unexpected_answer' || status >= 500) return EXIT.notReached;
  return EXIT.wrongUse;
}

/** Flags beat the environment; within one, a key beats the admin token unless a sandbox is named. */
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

/** What is a secret is not repeated in an error. */
function readSecret(text: string, called: string): string {
  if (/^[A-Za-z0-9\-._~+/]{16,256}={0,2}$/.test(text)) return text;
  throw new SettingsError(`${called} must be 16 to 256 characters of A-Z a-z 0-9 - . _ ~ + /`);
}
