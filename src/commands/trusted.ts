/** Which certificate a command trusts, in addition to those that Node trusts anyway. */
import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readEnvironment, resolveSettings } from '../server/config.ts';
import { SettingsError } from '../server/settings.ts';

/** The file of a certificate, and its text. */
export interface Trusted {
  readonly file: string;
  readonly ca: string;
}

/**
 * The certificate of `--cacert`, otherwise of `SANDBOX_CACERT`. If neither is given, and no server is named, that of
 * the server with this environment, if it keeps one.
 * @throws {SettingsError} naming the file, if it cannot be read
 */
export function trusted(
  { cacert, url }: { readonly cacert?: string; readonly url?: string },
  environment: NodeJS.ProcessEnv,
): Trusted | undefined {
  if (cacert !== undefined) return readCertificate(cacert, '--cacert');
  const variable = environment['SANDBOX_CACERT'];
  if (variable) return readCertificate(variable, 'SANDBOX_CACERT');
  if (url !== undefined || environment['SANDBOX_URL']) return undefined;
  const { level, image } = readEnvironment(environment);
  const { tls, data } = resolveSettings([level], { image });
  if (tls !== 'self-signed' || data === undefined) return undefined;
  try {
    return readCertificate(join(data, 'tls-cert.pem'), 'the data directory');
  } catch {
    // The server has not started yet.
    return undefined;
  }
}

function readCertificate(path: string, source: string): Trusted {
  const file = resolve(path);
  let ca: string;
  try {
    // A pipe might never end.
    if (!statSync(file).isFile()) throw new Error('it is not a regular file');
    ca = readFileSync(file, 'utf8');
  } catch (cause) {
    throw new SettingsError(`${source}: ${path} cannot be read: ${(cause as Error).message}`, { cause });
  }
  if (ca.includes('-----BEGIN CERTIFICATE-----')) return { file, ca };
  throw new SettingsError(`${source}: ${path} holds no certificate in PEM`);
}

/** What the client under test is told, by variable. Node adds such a certificate to those that it trusts. */
export const variablesFor = (certificate: Trusted | undefined, environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  certificate === undefined
    ? {}
    : {
        SANDBOX_CACERT: certificate.file,
        NODE_EXTRA_CA_CERTS: environment['NODE_EXTRA_CA_CERTS'] || certificate.file,
      };

/** Why a server was not reached, and what to do about it. */
export const hintFor = (message: string): string =>
  /SELF_SIGNED_CERT|UNABLE_TO_VERIFY_LEAF|UNABLE_TO_GET_ISSUER|self-signed certificate/.test(message)
    ? 'trust its certificate with --cacert'
    : 'start it, or name another with --url';
