/** Which server a command talks to. */
import { readEnvironment, SettingsError, settle } from '../config.ts';

/**
 * The server's address, without `/v1` or a slash at its end: what `--url` says, else `SANDBOX_URL`, else where a server with
 * this environment would listen.
 *
 * @throws {SettingsError} for what is no address
 */
export function serverAddress(url: string | undefined, environment: NodeJS.ProcessEnv): string {
  if (url !== undefined) return readAddress(url, '--url');
  const variable = environment['SANDBOX_URL'];
  if (variable) return readAddress(variable, 'SANDBOX_URL');
  const { level, image } = readEnvironment(environment);
  const { host, port } = settle([level], { image });
  if (port === 0) throw new SettingsError('SANDBOX_PORT=0 takes any free port; name the server with --url');
  // Listening on all addresses includes the machine's own.
  const reached = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`;
}

function readAddress(text: string, called: string): string {
  const parsed = URL.canParse(text) ? new URL(text) : undefined;
  if (parsed && /^https?:$/.test(parsed.protocol) && parsed.search + parsed.hash + parsed.username === '')
    // The address of the interface is what a client has, and what `exec` hands to a command.
    return text.replace(/\/+$/, '').replace(/\/v1$/, '');
  throw new SettingsError(`${called} must be an address like http://127.0.0.1:4020; got ${JSON.stringify(text)}`);
}
