/** Selects the server of a command. */
import { readEnvironment, resolveSettings } from '../server/config.ts';
import { SettingsError } from '../server/settings.ts';

/**
 * The server's address, without `/v1` or a trailing slash: from `--url`, otherwise from `SANDBOX_URL`, otherwise the
 * address where a server with this environment would listen.
 * @throws {SettingsError} for an invalid address
 */
export function serverAddress(url: string | undefined, environment: NodeJS.ProcessEnv): string {
  if (url !== undefined) return readAddress(url, '--url');
  const variable = environment['SANDBOX_URL'];
  if (variable) return readAddress(variable, 'SANDBOX_URL');
  const { level, image } = readEnvironment(environment);
  const { host, port, tls, tlsCert } = resolveSettings([level], { image });
  if (port === 0) throw new SettingsError('SANDBOX_PORT=0 takes any free port; name the server with --url');
  // Listening on all addresses includes the machine's own.
  const reached = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  const scheme = tls === 'self-signed' || tlsCert !== undefined ? 'https' : 'http';
  return `${scheme}://${reached.includes(':') ? `[${reached}]` : reached}:${port}`;
}

function readAddress(text: string, source: string): string {
  const parsed = URL.canParse(text) ? new URL(text) : undefined;
  if (parsed && /^https?:$/.test(parsed.protocol) && parsed.search + parsed.hash + parsed.username === '')
    // Clients, and commands run by `exec`, have the address of the interface.
    return text.replace(/\/+$/, '').replace(/\/v1$/, '');
  throw new SettingsError(`${source} must be an address like http://127.0.0.1:4020; got ${JSON.stringify(text)}`);
}
