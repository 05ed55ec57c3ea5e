/** Every control with its documented examples, changed at random: no answer is a 5xx, and the data outlives a restart. */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Client } from '../support/client.ts';
import { newFolder } from '../support/folder.ts';
import { changedAt, randomFrom } from '../support/random.ts';
import { startTestServer } from '../support/server.ts';
import { limit } from '../support/slow.ts';

/** Requests for each operation. */
const ROUNDS = 40;
/** Parameters of these places are text: what is no text is replaced by one of these. */
const TEXTS = [
  ...['', ' ', '0', '-1', '1e999', '9'.repeat(30), '%00', '../..', '__proto__', '\u202e', '[]'],
  'x'.repeat(3_000),
];

// biome-ignore lint/suspicious/noExplicitAny: a specification, read where it is known to be of this shape
type Json = any;

interface Operation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly { name: string; in: string; examples: readonly unknown[] }[];
  readonly bodies: readonly unknown[];
}

const specification: Json = parse(await readFile('spec/control-api.yaml', 'utf8'));
const resolved = (value: Json): Json => {
  const path: readonly string[] | undefined = value?.$ref?.slice(2).split('/');
  return path ? path.reduce((inner, key) => inner[key], specification) : value;
};
const examplesOf = (value: Json): unknown[] =>
  Object.values(value?.examples ?? {}).map((example) => resolved(example).value);

/**
 * All but the stream of events, which does not end, the import, which `test/recording/import.test.ts` changes, and MCP, whose
 * errors are those of its protocol (`test/hostile/mcp.test.ts`).
 */
const operations: Operation[] = Object.entries<Json>(specification.paths).flatMap(([path, item]) =>
  Object.entries<Json>(item)
    .map(([method, { operationId, parameters = [], requestBody }]) => ({
      name: operationId,
      method: method.toUpperCase(),
      path: path === '/' ? '' : path,
      parameters: parameters
        .map(resolved)
        .map((parameter: Json) => ({ name: parameter.name, in: parameter.in, examples: examplesOf(parameter) })),
      bodies: examplesOf(requestBody?.content?.['application/json']),
    }))
    .filter(({ name }) => !['streamEvents', 'importRecording', 'callMcp'].includes(name)),
);

/** One of the operation's examples in each place, most of them changed. */
function requestOf({ method, path, parameters, bodies }: Operation, random: () => number) {
  const any = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;
  const textOf = (examples: readonly unknown[]): string =>
    encodeURIComponent(examples.length > 0 && random() < 0.5 ? String(any(examples)) : any(TEXTS));
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && random() < 0.4)
    .map(({ name, examples }) => `${name}=${textOf(examples)}`);
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) =>
    textOf(parameters.find((parameter) => parameter.name === name)?.examples ?? []),
  );
  const body = bodies.length === 0 ? undefined : random() < 0.2 ? any(bodies) : changedAt(any(bodies), random);
  return {
    method,
    path: `/_sandbox${filled}${query.length > 0 ? `?${query.join('&')}` : ''}`,
    ...(body === undefined
      ? {}
      : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) ?? '' }),
  };
}

test('no control fails for what it is sent, and what it did outlives a restart', {
  timeout: limit(240_000),
}, async () => {
  const settings = { data: await newFolder(), adminToken: 'admin-token-of-this-test' };
  const server = await startTestServer({ settings });
  const random = randomFrom(20_261_124);
  const keys: string[] = [];
  for (const operation of operations) {
    // Its own sandbox, because some controls end it.
    const client: Client = await server.sandbox();
    keys.push(client.key as string);
    const admin = server.client(server.adminToken);
    const statuses = new Set<number>();
    for (let round = 0; round < ROUNDS; round++) {
      const request = requestOf(operation, random);
      const { status, text } = await (round % 4 === 0 ? admin : client).send(request);
      statuses.add(status);
      expect(status < 500, `${operation.name} ${JSON.stringify(request)}: ${text}`).toBe(true);
      // A fault rule may break the connection.
      if (round % 10 === 0) await client.post('/v1/pets', { name: 'Rex', categoryId: 1 }).catch(() => undefined);
    }
    // Where something can be changed, some of it is accepted and some is not.
    if (operation.bodies.length > 0) expect(statuses.size, operation.name).toBeGreaterThan(1);
  }
  const seen = async (key: string, at: typeof server): Promise<unknown> => {
    const { status, text } = await at.client(key).get('/v1/pets?limit=100');
    return status === 200 ? text : status;
  };
  for (const key of keys) await server.client(key).send({ method: 'DELETE', path: '/_sandbox/faults' });
  const before = await Promise.all(keys.map((key) => seen(key, server)));
  expect(before.filter((text) => typeof text === 'string').length).toBeGreaterThan(20);
  await server.end();
  const again = await startTestServer({ settings });
  expect(await Promise.all(keys.map((key) => seen(key, again)))).toEqual(before);
  for (const key of keys) {
    const reply = await again.client(key).get('/_sandbox/export?format=recording');
    if (reply.status !== 200) continue;
    const imported = await again.client().importRecording(reply.text);
    expect(imported.status, imported.text.slice(0, 500)).toBe(201);
  }
});
