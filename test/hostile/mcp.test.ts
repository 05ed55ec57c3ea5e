/** Hostile messages to the MCP server: long, deep, of wrong types, and very many. */
import { expect, it } from 'vitest';
import { TOOLS } from '../../src/mcp/tools.ts';
import { overHttp } from '../mcp/connect.ts';
import { send } from '../support/client.ts';
import { pieceIn, waysToWrite } from '../support/secrets.ts';
import { startTestServer } from '../support/server.ts';

const server = await startTestServer();

const MESSAGE = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
const post = (body: string, headers = {}) =>
  send(server.url, { method: 'POST', path: '/_sandbox/mcp', headers: { ...MESSAGE, ...headers }, body });
const callOf = (name: string, args: unknown) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } });
/** The message in the event that answers the protocol of 2025. */
const messageIn = (text: string) => JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text);

it('answers hostile messages with an error of the protocol, or of the tool', async () => {
  const deep = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`;
  const wrong: readonly (readonly [string, number])[] = [
    ['{"jsonrpc":', -32700],
    [deep, -32600],
    [`[${callOf('requests', {})}]`, -32600],
    [callOf('requests', Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [n, n]))), -32600],
    [callOf('no_such_tool', {}), -32602],
    [callOf('x'.repeat(100_000), {}), -32602],
    ['{"jsonrpc":"2.0","id":1,"method":"no/such"}', -32601],
    [callOf('requests', 'text'), -32602],
  ];
  for (const [body, code] of wrong) {
    const reply = await post(body);
    expect([body.slice(0, 50), messageIn(reply.text)]).toMatchObject([body.slice(0, 50), { error: { code } }]);
    expect(reply.text.length).toBeLessThan(2_000);
  }
  expect((await post('')).json.message).toBe('body: is missing; send a JSON-RPC message');
  const tooLong = await post(callOf('requests', { contains: 'x'.repeat(2 ** 21) }));
  expect([tooLong.status, tooLong.json.code]).toEqual([413, 'payload_too_large']);
  for (const args of [{ contains: ['x'] }, { contains: 'x'.repeat(500_000) }, { sandbox: null }, { constructor: 1 }]) {
    const { result } = messageIn((await post(callOf('requests', args))).text);
    expect([args, result?.isError]).toEqual([args, true]);
  }
});

it('serves a thousand calls at once, each by its own', async () => {
  const agent = await overHttp(server.url);
  const { handle, key } = await agent.sandbox();
  await server.client(key).get('/v1/pets');
  const large = 'x'.repeat(100_000);
  const replies = await Promise.all(
    Array.from({ length: 1_000 }, (_, n) =>
      post(callOf('requests', n % 10 === 0 ? { sandbox: handle, contains: large } : { sandbox: handle, limit: 1 })),
    ),
  );
  const outcomes = replies
    .map(({ text }) => messageIn(text).result)
    .map(({ isError, structuredContent }) => isError ?? structuredContent.total);
  expect(outcomes).toEqual(outcomes.map((_, n) => (n % 10 === 0 ? true : 1)));
});

/** Where an agent can put a text: each place in a schema, at any depth, with arguments that have it there. */
function* placesIn(
  schema: Schema,
  wrap: (value: unknown) => object,
): Generator<[place: string, args: (text: string) => object]> {
  for (const [name, inside] of Object.entries(schema.properties ?? {})) {
    yield [name, (text) => wrap({ [name]: text })];
    yield* placesIn(inside, (value) => wrap({ [name]: value }));
  }
  yield ['another', (text) => wrap({ [text]: 1 })];
}
interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
}

it('repeats no secret in an error, wherever it came and however it was written', async () => {
  const { handle, key } = await (await overHttp(server.url)).sandbox();
  const rpc = (method: string, params: object): string => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const har = JSON.stringify({ log: { entries: [] } });
  const places: [string, (text: string) => string][] = [
    ['a method', (text) => rpc(text, {})],
    ['a tool', (text) => callOf(text, {})],
    ['a prompt', (text) => rpc('prompts/get', { name: text })],
    ['a resource', (text) => rpc('resources/read', { uri: `petstore-sandbox://${text}` })],
    ['a request', (text) => rpc('resources/read', { uri: `petstore-sandbox://requests/${text}/req_1` })],
    ['verify.path', (text) => callOf('verify', { sandbox: handle, path: `/v1/${text}`, exactly: 1 })],
    ['report_har.base', (text) => callOf('report_har', { sandbox: handle, har, base: `https://example.com/${text}` })],
    ['restore', (text) => callOf('sandbox_change', { sandbox: handle, restore: { snapshot: text } })],
    ['no JSON', (text) => `{"jsonrpc":"2.0","id":${text}`],
    ...TOOLS.flatMap(({ name, input }) =>
      [...placesIn(input as Schema, (value) => ({ sandbox: handle, ...(value as object) }))].map(
        ([place, args]): [string, (text: string) => string] => [
          `${name}: ${place}`,
          (text) => callOf(name, args(text)),
        ],
      ),
    ),
  ];
  expect(places.length).toBeGreaterThan(100);
  const said: [string, string | undefined][] = [];
  for (const [place, bodyOf] of places) {
    for (const text of [`${'x'.repeat(70)}${key}`, ...waysToWrite(key).map(([, written]) => written)]) {
      const reply = await post(bodyOf(text));
      said.push([`${place}: ${text.length}`, pieceIn(reply.text, key)]);
    }
  }
  expect(said.filter(([, piece]) => piece !== undefined)).toEqual([]);
});
