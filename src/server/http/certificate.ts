/** The certificate of a server that speaks HTTPS: its owner's, or one that the server makes for itself and keeps. */

import { X509Certificate } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import type { Server, ServerOptions } from 'node:http';
import { isIP } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { MAX_SMALL_FILE, readGivenFile } from '../../base/files.ts';
import { type Settings, SettingsError } from '../../base/settings/settings.ts';
import type { Shutdown } from '../../base/shutdown.ts';
import { fileName } from '../../base/text.ts';
import { isAllAddresses, LOOPBACK_NAMES } from './listening.ts';

export interface Certificate {
  /** PEM, with the certificates that issued it. */
  readonly cert: string;
  /** PEM. It is never shown. */
  readonly key: string;
  /** The file of `cert`; `undefined` if there is no directory in which one can be written. */
  readonly file: string | undefined;
  /** SHA-256, as browsers and `openssl` show it. */
  readonly fingerprint: string;
  readonly isSelfSigned: boolean;
}

/** The files of a self-signed certificate in a data directory. */
const tlsFilesIn = (directory: string): { readonly cert: string; readonly key: string } => ({
  cert: join(directory, 'tls-cert.pem'),
  key: join(directory, 'tls-key.pem'),
});

/** A certificate that ends sooner is replaced at a start. */
const RENEW_BEFORE_MS = 30 * 86_400_000;

/**
 * The certificate for these settings; `undefined` if the server speaks plain HTTP.
 * @param shutdown removes the files of a certificate that is not kept
 * @throws {SettingsError} naming the file
 */
export async function certificateFor(
  settings: Settings,
  { clock, shutdown }: { clock: Clock; shutdown: Shutdown },
): Promise<Certificate | undefined> {
  const { tls, tlsCert, tlsKey, data } = settings;
  if (tlsCert !== undefined && tlsKey !== undefined) return readPair({ cert: tlsCert, key: tlsKey }, false);
  if (tls === 'off') return undefined;
  const directory = data ?? (await temporaryDirectory(shutdown));
  return selfSigned(
    directory === undefined ? undefined : tlsFilesIn(directory),
    certificateNames(settings),
    clock.now(),
  );
}

/** `curl --cacert` needs a file, even if nothing is kept. `undefined` in a container that can be read only. */
async function temporaryDirectory(shutdown: Shutdown): Promise<string | undefined> {
  const directory = await mkdtemp(join(tmpdir(), 'petstore-sandbox-tls-')).catch(() => undefined);
  if (directory === undefined) return undefined;
  shutdown.add('the certificate', () => rm(directory, { recursive: true, force: true }));
  return directory;
}

/** The names at which clients on this machine and others may reach the server. */
function certificateNames({ host, publicUrl, allowHosts }: Settings): string[] {
  const configured = [...(publicUrl === undefined ? [] : [`${new URL(publicUrl).hostname}`]), ...allowHosts];
  const given = configured.map((name) => name.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1'));
  const own = isAllAddresses(host) ? [] : [host];
  return [...new Set([...LOOPBACK_NAMES, hostname(), ...own, ...given])].map((name) => name.toLowerCase());
}

type Files = ReturnType<typeof tlsFilesIn>;

/** The kept certificate, or a new one if there is none, it ends soon, or the server has other names. */
async function selfSigned(files: Files | undefined, names: readonly string[], now: number): Promise<Certificate> {
  if (files && existsSync(files.cert)) {
    const kept = await readPair(files, true);
    if (isCertificateFor(new X509Certificate(kept.cert), names, now)) return kept;
  }
  // Loaded only now: a start with a kept certificate does not pay for it.
  const { makeSelfSigned } = await import('./self-signed.ts');
  const { cert, key } = await makeSelfSigned(names, now);
  if (files === undefined) {
    return { cert, key, file: undefined, fingerprint: new X509Certificate(cert).fingerprint256, isSelfSigned: true };
  }
  try {
    // In this order, a kill leaves a pair or no certificate.
    await rm(files.cert, { force: true });
    await writePrivately(files.key, key);
    await writePrivately(files.cert, cert);
  } catch (cause) {
    throw new SettingsError(`${files.cert} cannot be written: ${(cause as Error).message}`, { cause });
  }
  return readPair(files, true);
}

function isCertificateFor(certificate: X509Certificate, names: readonly string[], now: number): boolean {
  const covered = (certificate.subjectAltName ?? '').toLowerCase();
  const isCovered = (name: string): boolean =>
    isIP(name) ? certificate.checkIP(name) !== undefined : covered.split(', ').includes(`dns:${name}`);
  return Date.parse(certificate.validTo) - now > RENEW_BEFORE_MS && names.every(isCovered);
}

/** Reads a certificate and its key, and checks that they belong together. @throws {SettingsError} naming the file */
async function readPair(files: Files, isSelfSigned: boolean): Promise<Certificate> {
  const hint = isSelfSigned ? '; delete both to get a new certificate' : '';
  const [cert, key] = [await readPem(files.cert), await readPem(files.key)];
  try {
    const { createSecureContext } = await import('node:tls');
    // It checks that the key is that of the first certificate.
    createSecureContext({ cert, key });
    return {
      cert,
      key,
      file: resolve(files.cert),
      fingerprint: new X509Certificate(cert).fingerprint256,
      isSelfSigned,
    };
  } catch (cause) {
    throw new SettingsError(
      `${files.cert} and ${files.key} are no certificate and its key, in PEM and without a password (${(cause as Error).message})${hint}`,
      { cause },
    );
  }
}

async function readPem(file: string): Promise<string> {
  try {
    return String(await readGivenFile(file, MAX_SMALL_FILE));
  } catch (cause) {
    throw new SettingsError(`${fileName(file)} cannot be read: ${(cause as Error).message}`, { cause });
  }
}

/** Only the owner may read it. */
async function writePrivately(file: string, text: string): Promise<void> {
  await rm(`${file}.tmp`, { force: true });
  await writeFile(`${file}.tmp`, text, { mode: 0o600 });
  await rename(`${file}.tmp`, file);
}

/** @param options those of the plain server: a handshake may take as long as the head of a request */
export async function createTlsServer(options: ServerOptions, { cert, key }: Certificate): Promise<Server> {
  // A plain server does not pay for it.
  const { createServer } = await import('node:https');
  const handshakeTimeout = options.headersTimeout;
  const server = createServer({
    ...options,
    ...(handshakeTimeout !== undefined && { handshakeTimeout }),
    cert,
    key,
    minVersion: 'TLSv1.2',
    ALPNProtocols: ['http/1.1'],
  });
  // It has every method and event that is used of the other.
  return server as unknown as Server;
}
