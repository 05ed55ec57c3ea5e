import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, it } from 'vitest';
import { CLI, startProgram } from '../../support/program.ts';
import { sharedServer } from '../../support/server.ts';
import { Agent } from './connect.ts';

const server = await sharedServer();

async function connect(env: Record<string, string> = {}): Promise<Agent> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  const transport = new StdioClientTransport({ command: process.execPath, args: [CLI, 'mcp'], env });
  await client.connect(transport);
  return new Agent(client);
}

it('starts a server in memory, and fetches a verdict on a client of it', async () => {
  const agent = await connect();
  const { data } = await agent.call('sandbox_create');
  const response = await fetch(`${data.baseUrl}/pets?limit=500`, { headers: { Authorization: `Bearer ${data.key}` } });
  expect(response.status).toBe(400);
  expect((await agent.call('verdict', { sandbox: data.handle })).data.verdict).toBe('fail');
});

it('uses the server of SANDBOX_URL, and without a handle the sandbox of SANDBOX_KEY', async () => {
  const api = await server.sandbox();
  const { id } = (await api.get('/_sandbox')).json;
  const agent = await connect({ SANDBOX_URL: `${server.url}/${id}/v1`, SANDBOX_KEY: api.key as string });
  await api.get('/v1/pets');
  expect((await agent.call('requests')).data.total).toBe(1);
  const { data } = await agent.call('sandbox_create');
  expect(data.baseUrl).toBe(`${server.url}/${data.sandbox}/v1`);
  expect((await agent.call('requests', { sandbox: data.handle })).data.total).toBe(0);
});

it('says that the server cannot be reached, and how to do without it', async () => {
  const agent = await connect({ SANDBOX_URL: 'http://127.0.0.1:1/v1' });
  const { isError, text } = await agent.call('sandbox_create');
  expect([isError, text]).toEqual([true, expect.stringContaining('start this MCP server without SANDBOX_URL')]);
});

it('ends when its input ends, with nothing but the protocol on stdout', async () => {
  const { child, ended } = startProgram(['mcp']);
  child.stdin.end('{"jsonrpc":"2.0","id":1,"method":"ping"}\nnot JSON\n');
  const { code, stdout } = await ended;
  expect(code).toBe(0);
  const [answer, ...others] = stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  expect(answer).toMatchObject({ jsonrpc: '2.0', id: 1 });
  for (const other of others) expect(other).toMatchObject({ jsonrpc: '2.0' });
});
