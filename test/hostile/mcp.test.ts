/** Hostile messages to the MCP server: long, deep, of wrong types, and very many. That none shows a secret: `secrets.test.ts`. */
import { expect, it } from 'vitest';
import { overHttp } from '../server/mcp/connect.ts';
import { send } from '../support/client.ts';
import { startTestServer } from '../support/server.ts';
import { message } from './places.ts';

const server = await startTestServer();

const post = (body: string) => send(server.url, message(body));
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
  expect((await post('')).json.message).toBe('body is missing; send a JSON-RPC message');
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
