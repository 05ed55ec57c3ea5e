/** `petstore-sandbox keys`: the keys that open sandboxes. */
import type { Schema } from '../client/routes.ts';
import { counted, table } from '../client/text.ts';
import type { CommandRun } from './connection.ts';
import { type FixtureFlags, fixtureOf } from './fixture-flag.ts';
import type { Output } from './output.ts';

export interface IssuedFlags {
  readonly label?: string;
  readonly ttl?: number;
  /** Whether to print the key alone. */
  readonly quiet?: boolean;
}

/** Shows a new key; it is shown only here. */
export function showIssued(out: Output, issued: Schema<'IssuedKey'>, { quiet }: IssuedFlags): void {
  const { key, sandbox, label, fixture, expiresAt, baseUrl, id } = issued;
  const facts = [
    ['key', key],
    ['id', id],
    ['sandbox', sandbox],
    ['url', baseUrl],
    ['fixture', fixture],
    ['label', label],
    ['expires', expiresAt ?? 'never'],
  ];
  out.show(issued, () => (quiet ? [key] : table(facts)));
}

/** Creates a sandbox and its key. */
export const create: CommandRun<IssuedFlags & FixtureFlags> = async ({ client, flags, out }) => {
  const { label, ttl } = flags;
  const fixture = await fixtureOf(flags);
  const issued = await client.request('POST /keys', { body: { label, fixture, ttlSeconds: ttl } });
  showIssued(out, issued, flags);
  return undefined;
};

/** Creates a second key to the sandbox. */
export const share: CommandRun<IssuedFlags> = async ({ client, flags, out }) => {
  const { label, ttl } = flags;
  const issued = await client.request('POST /keys', { body: { label, ttlSeconds: ttl, shared: true } });
  showIssued(out, issued, flags);
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
