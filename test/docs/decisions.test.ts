/** docs/decisions.md: each response of its first table is the one that the sandbox gives. */
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { send } from '../support/client.ts';
import { startTestServer } from '../support/server.ts';

interface Row {
  /** As the page has it. */
  readonly request: string;
  readonly method: string;
  readonly path: string;
  /** What follows the path: which key, which body. */
  readonly how: string;
  readonly status: number;
  readonly code: string | undefined;
}

const ROW = /^\| `([A-Z]+) (\S+)`(.*?) \| (\d{3})(?: `(\w+)`)? \|/gm;

const page = await readFile('docs/decisions.md', 'utf8');
const table = page.slice(page.indexOf('| request |'), page.indexOf('\nFurther: '));
const rows: Row[] = [...table.matchAll(ROW)].map(([, method = '', path = '', how = '', status, code]) => ({
  request: `${method} ${path}${how}`,
  method,
  path,
  how,
  status: Number(status),
  code,
}));

const server = await startTestServer();
const key = (await server.sandboxes.create({})).secret;

function headersOf(how: string): Record<string, string> {
  if (how === ' without a key') return {};
  return { Authorization: `Bearer ${how === ' with an unknown key' ? 'petsbx_unknown' : key}` };
}

/** `with {"name":"Rex"}` is JSON; `with the text …` is none. */
function bodyOf(how: string): { body?: string; type?: string } {
  const [, text, body] = / with (the text )?`(.*)`$/.exec(how) ?? [];
  if (body === undefined) return {};
  return { body, type: text === undefined ? 'application/json' : 'text/plain' };
}

it('has a row a line', () => {
  expect(rows).toHaveLength(table.trim().split('\n').length - 2);
});

it.each(rows)('$request is answered $status $code', async ({ method, path, how, status, code }) => {
  const { body, type } = bodyOf(how);
  const headers = { ...headersOf(how), ...(type === undefined ? {} : { 'Content-Type': type }) };
  const reply = await send(server.url, { method, path, headers, ...(body === undefined ? {} : { body }) });
  expect({ status: reply.status, code: reply.status < 400 ? undefined : reply.json.code }).toEqual({ status, code });
});
