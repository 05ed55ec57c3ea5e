/** `petstore-sandbox keys`: the keys that open sandboxes. */
import type { Schema } from '../client/routes.ts';
import { counted, table } from '../client/text.ts';
import type { CommandRun } from './connection.ts';
import { type FixtureFlags, fixtureOf } from './fixture-flag.ts';

/** The key is shown only here. */
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

export interface KeyFlags extends FixtureFlags {
  readonly label?: string;
  readonly ttl?: number;
}

/** Creates a sandbox and its key. */
export const create: CommandRun<KeyFlags> = async ({ client, flags: { label, ttl, ...start }, out }) => {
  const fixture = await fixtureOf(start);
  const issued = await client.request('POST /keys', { body: { label, fixture, ttlSeconds: ttl } });
  out.show(issued, () => issuedLines(issued));
  return undefined;
};

/** Creates a second key to the sandbox. */
export const share: CommandRun<KeyFlags> = async ({ client, flags: { label, ttl }, out }) => {
  const issued = await client.request('POST /keys', { body: { label, ttlSeconds: ttl, shared: true } });
  out.show(issued, () => issuedLines(issued));
  return undefined;
};

/** Lists the keys to the sandbox, without the keys themselves, which are not stored. */
export const list: CommandRun<object> = async ({ client, out }) => {
  const response = await client.request('GET /keys');
  out.show(response, () => [
    ...table([
      ['ID', 'LABEL', 'CREATED', 'EXPIRES'],
      ...response.keys.map(({ id, label, createdAt, expiresAt }) => [id, label, createdAt, expiresAt ?? 'never']),
    ]),
    counted(response.keys.length, 'key'),
  ]);
  return undefined;
};

/** Revokes a key by its id. */
export const revoke: CommandRun<object> = async ({ client, args: [keyId = ''], out }) => {
  await client.request('DELETE /keys/{keyId}', { params: { keyId } });
  out.show({ revoked: keyId }, () => [`revoked ${keyId}`]);
  return undefined;
};
