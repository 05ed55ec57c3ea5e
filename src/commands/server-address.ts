/** Selects the server of a command. */
import { readEnvironment, resolveSettings } from '../server/config.ts';
import { SettingsError } from '../server/settings.ts';
import { readBase } from './base-and-key.ts';

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
  // Listening on all addresses includes the machine's own.
  const reached = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  const scheme = tls === 'self-signed' || tlsCert !== undefined ? 'https' : 'http';
  return `${scheme}://${reached.includes(':') ? `[${reached}]` : reached}:${port}`;
}
