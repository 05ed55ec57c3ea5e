/** Makes the certificate of `--tls self-signed`. Loaded only when one is made. */
import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { isIP } from 'node:net';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';

const DAY_MS = 86_400_000;
/** Some systems reject certificates that live longer than two years. */
const LIFE_DAYS = 365;
/** Clients whose clock is behind accept it too. */
const SLACK_MS = DAY_MS;

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** A certificate for these host names and addresses, and its key, in PEM. @param now the time, in milliseconds */
export async function makeSelfSigned(names: readonly string[], now: number): Promise<{ cert: string; key: string }> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const extensions = [
    new SubjectAlternativeNameExtension(
      names.map((value) => ({ type: isIP(value) ? ('ip' as const) : ('dns' as const), value })),
    ),
    // It issues no others: to trust it is to trust this server alone.
    new BasicConstraintsExtension(false, undefined, true),
    new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
    new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
    await SubjectKeyIdentifierExtension.create(keys.publicKey),
    await AuthorityKeyIdentifierExtension.create(keys.publicKey),
  ];
  const options = {
    name: 'CN=petstore-sandbox',
    notBefore: new Date(now - SLACK_MS),
    notAfter: new Date(now + LIFE_DAYS * DAY_MS),
    signingAlgorithm: ALGORITHM,
    keys,
    extensions,
  };
  const certificate = await X509CertificateGenerator.createSelfSigned(options);
  const key = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  return { cert: `${certificate.toString('pem')}\n`, key: `${PemConverter.encode(key, 'PRIVATE KEY')}\n` };
}
