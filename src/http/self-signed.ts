/**
 * Makes a certificate that only its owner has signed (RFC 5280). Node signs but writes no certificates; it is a few
 * values in DER, whose encoding is in `der.ts`. Loaded only when one is made.
 */
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';
import { bits, context, explicit, integer, octets, oid, sequence, set, TRUE, text, time } from './der.ts';

const DAY_MS = 86_400_000;
/** Some systems refuse certificates that live longer than two years. */
const LIFE_DAYS = 365;
/** Clients whose clock is behind accept it too. */
const SLACK_MS = DAY_MS;
/** Of an uncompressed point on P-256, at the end of a public key in DER. */
const POINT_BYTES = 65;

const OID = {
  commonName: '2.5.4.3',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyIdentifier: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
  serverAuth: '1.3.6.1.5.5.7.3.1',
};

/** A certificate for these host names and addresses, and its key, in PEM. @param now the time, in milliseconds */
export function makeSelfSigned(names: readonly string[], now: number): { cert: string; key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const algorithm = sequence(oid(OID.ecdsaWithSha256));
  const name = sequence(set(sequence(oid(OID.commonName), text('petstore-sandbox'))));
  const content = sequence(
    explicit(0, integer(Buffer.of(2))),
    integer(serialNumber()),
    algorithm,
    name,
    sequence(time(new Date(now - SLACK_MS)), time(new Date(now + LIFE_DAYS * DAY_MS))),
    name,
    spki,
    explicit(3, sequence(...extensions(names, spki))),
  );
  const signature = sign('sha256', content, privateKey);
  const certificate = sequence(content, algorithm, bits(signature));
  return { cert: inPem(certificate), key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })) };
}

/** Positive, and different each time: a browser refuses two certificates of one issuer with the same number. */
function serialNumber(): Buffer {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] as number) & 0x7f) | 0x40;
  return bytes;
}

function extensions(names: readonly string[], spki: Buffer): Buffer[] {
  const keyId = createHash('sha1').update(spki.subarray(-POINT_BYTES)).digest();
  const extension = (id: string, value: Buffer, isCritical = false): Buffer =>
    sequence(oid(id), ...(isCritical ? [TRUE] : []), octets(value));
  return [
    extension(OID.subjectAltName, sequence(...names.map(generalName))),
    // It issues no others: to trust it is to trust this server alone.
    extension(OID.basicConstraints, sequence(), true),
    // The first bit: digital signatures. The other seven are unused.
    extension(OID.keyUsage, bits(Buffer.of(0x80), 7), true),
    extension(OID.extendedKeyUsage, sequence(oid(OID.serverAuth))),
    extension(OID.subjectKeyIdentifier, octets(keyId)),
    extension(OID.authorityKeyIdentifier, sequence(context(0, keyId))),
  ];
}

const generalName = (name: string): Buffer =>
  isIP(name) ? context(7, addressBytes(name)) : context(2, Buffer.from(name, 'latin1'));

/** The four or sixteen bytes of an address. */
function addressBytes(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number));
  // In its shortest form, so that at most one `::` stands for zeros, and no part is an IPv4 address.
  const [before = '', after] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const groups = (text: string): string[] => (text === '' ? [] : text.split(':'));
  const [left, right] = [groups(before), groups(after ?? '')];
  const all = [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right];
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex');
}

function inPem(bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}
