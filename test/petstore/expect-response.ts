/** Holds a response against what the table wants. */
import { expect } from 'vitest';
import type { Reply } from '../support/client.ts';
import type { Expected } from './cases.ts';

export function expectResponse(reply: Reply, { status, code, says = [], text, headers = {} }: Expected): void {
  expect(reply, reply.text).toMatchObject({ status });
  if (text !== undefined) expect(reply.text).toBe(text);
  if (code !== undefined) expect(reply.json.code).toBe(code);
  for (const part of says) expect(reply.json.message).toContain(part);
  for (const [name, value] of Object.entries(headers)) expect(reply.headers[name] ?? null).toBe(value);
}
