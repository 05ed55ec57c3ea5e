/** What people paste from the dashboard sends their key to this server, whatever a client sent. */
import { marked } from 'marked';
import { expect, test } from 'vitest';
import { addressOn, snippetsOf } from '../../src/dashboard/live/snippets.ts';
import { sharedServer } from '../support/server.ts';

const server = await sharedServer();

test.each([
  ['@evil.example/v1/pets', '/@evil.example/v1/pets'],
  ['.evil.example/', '/.evil.example/'],
  [':80@evil.example/', '/:80@evil.example/'],
  ['//evil.example/', '//evil.example/'],
  ['\\evil.example', '/\\evil.example'],
  ['*', '/*'],
  ['', '/'],
  ['/v1/pets/../%zz?a=[1]', '/v1/pets/../%zz?a=[1]'],
])('a request for %j leads to this server', (target, path) => {
  const address = addressOn('http://127.0.0.1:4020', target);
  expect(address).toBe(`http://127.0.0.1:4020${path}`);
  expect(new URL(address).host).toBe('127.0.0.1:4020');
});

test('backticks of a client end no code in an issue or a prompt', async () => {
  const client = await server.sandbox();
  const body = '{"name":"Rex",\n```\n# Not a heading\n````sh\n}';
  const { requestId } = await client.post('/v1/pets', body);
  const details = (await client.get(`/_sandbox/requests/${requestId}`)).json;
  const finding = { location: 'query/`*a*`', message: 'is wrong', instead: '``' };
  const snippets = snippetsOf({ ...details, findings: [finding] }, server.url, client.key as string);
  for (const name of ['issue text', 'prompt']) {
    const text = snippets.find((each) => each.name === name)?.text as string;
    expect(marked.lexer(text).flatMap((each) => (each.type === 'heading' ? each['depth'] : []))).toEqual([2]);
    expect(marked.lexer(text).findLast(({ type }) => type === 'code')).toMatchObject({
      text: expect.stringContaining(body),
    });
    expect(marked.parse(text)).toContain('<code>query/`*a*`</code>: is wrong: send <code>``</code>');
  }
});
