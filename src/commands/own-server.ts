/** A temporary server for one command: in memory, on a free port, with the validator loaded. */

import { silentLog } from '../core/log.ts';
import { readEnvironment, resolveSettings } from '../server/config.ts';
import { startServer } from '../server/server.ts';
import { SettingsError } from '../server/settings.ts';
import { type CommandCall, type CommandRun, type ConnectionFlags, runConnected } from './connection.ts';
import { complain } from './problems.ts';

export interface OwnServerFlags {
  /** Whether the command starts its own server. */
  readonly start?: boolean;
}

type OwnServerCall<Flags> = Pick<CommandCall<Flags>, 'flags' | 'args' | 'environment'>;

/**
 * Runs a command against its own server. Fixtures and TLS come from the environment, as for `serve`.
 * @throws {SettingsError} for flags that name another server
 */
export async function runWithOwnServer<Flags extends OwnServerFlags>(
  run: CommandRun<Flags>,
  { flags, args, environment }: OwnServerCall<Flags>,
): Promise<number> {
  rejectOtherServer(flags);
  const { fixtures, fixture, tls, tlsCert, tlsKey } = readEnvironment(environment).level;
  const settings = resolveSettings([{ port: 0, memory: true, fixtures, fixture, tls, tlsCert, tlsKey }]);
  const onFatal = (error: Error): void => complain(`the server stopped: ${error.message}`);
  const server = await startServer({ settings, log: silentLog, onFatal });
  try {
    await server.validator.ready;
    // Credentials in the environment are for another server.
    const { SANDBOX_ADMIN_TOKEN: _, SANDBOX_KEY: __, ...rest } = environment;
    const cacert = server.certificate?.isSelfSigned ? { cacert: server.certificate.file } : {};
    const own = { ...flags, ...cacert, url: server.url };
    return await runConnected(run, { flags: own, args, environment: rest, as: 'anyone' });
  } finally {
    await server.close();
  }
}

function rejectOtherServer(flags: ConnectionFlags): void {
  const conflict = [
    ['--url', flags.url],
    ['--admin-token', flags.adminToken],
    ['--sandbox', flags.sandbox],
  ].find(([, value]) => value !== undefined);
  if (conflict) throw new SettingsError(`--start brings its own server; leave ${conflict[0]} out`);
}
