/** `petstore-sandbox keys`: the keys that open sandboxes. */
import type { Schema } from '../client/routes.ts';
import { counted, table } from '../client/text.ts';
import type { CommandRun } from './connection.ts';

/** The one moment when a key is shown. */
export const issuedLines = ({ key, sandbox, label, fixture, expiresAt, baseUrl, id }: Schema<'IssuedKey'>): string[] =>
  table([
    ['key', key],
    ['id', id],
    ['sandbox', sandbox],
    ['url', baseUrl],
    ['fixture', fixture],
    ['label', label],
    ['expires', expiresAt ?? 'never'],
  ]);

export interface KeyFlags {
  readonly label?: string;
  readonly fixture?: string;
  readonly ttl?: number;
}

/** Makes a sandbox and its key. */
export const create: CommandRun<KeyFlags> = async ({ client, flags: { label, fixture, ttl }, out }) => {
  const issued = await client.ask('POST /keys', { body: { label, fixture, ttlSeconds: ttl } });
  out.show(issued, () => issuedLines(issued));
  return undefined;
};

/** Makes a second key to the sandbox. */
export const share: CommandRun<KeyFlags> = async ({ client, flags: { label, ttl }, out }) => {
  const issued = await client.ask('POST /keys', { body: { label, ttlSeconds: ttl, shared: true } });
  out.show(issued, () => issuedLines(issued));
  return undefined;
};

/** Lists the keys to the sandbox; the keys themselves are not known to anyone. */
export const list: CommandRun<object> = async ({ client, out }) => {
  const answer = await client.ask('GET /keys');
  out.show(answer, () => [
    ...table([
      ['ID', 'LABEL', 'CREATED', 'EXPIRES'],
      ...answer.keys.map(({ id, label, createdAt, expiresAt }) => [id, label, createdAt, expiresAt ?? 'never']),
    ]),
    counted(answer.keys.length, 'key'),
  ]);
  return undefined;
};

/** Revokes a key by its id. */
export const revoke: CommandRun<object> = async ({ client, args: [keyId = ''], out }) => {
  await client.ask('DELETE /keys/{keyId}', { params: { keyId } });
  out.show({ revoked: keyId }, () => [`revoked ${keyId}`]);
  return undefined;
};
