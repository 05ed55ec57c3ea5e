import { expect, test } from 'vitest';
import { newKey } from '../../src/api/api-key.ts';
import { createRedact, redactingLog } from '../../src/requests/redact.ts';

test('a log is told no key, wherever in its details a client has put one', () => {
  const lines: string[] = [];
  const note = (details: object, message: string) => lines.push(`${JSON.stringify(details)} ${message}`);
  const preconfigured = 'fixed-key-for-a-test/of-logs';
  const log = redactingLog({ error: note, warn: note, info: note, debug: note }, createRedact([preconfigured]));
  const key = newKey();

  for (const level of ['error', 'warn', 'info', 'debug'] as const) {
    log[level]({ target: `/v1/pets?key=${key}`, body: { name: [preconfigured] }, count: 3 }, `${key} came`);
  }

  expect(lines).toHaveLength(4);
  for (const line of lines) {
    expect(line).toBe('{"target":"/v1/pets?key=[key]","body":{"name":["[key]"]},"count":3} [key] came');
  }
});

test('a log is handed errors as they are, so that their stacks are whole', () => {
  const handed: object[] = [];
  const note = (details: object) => handed.push(details);
  const log = redactingLog({ error: note, warn: note, info: note, debug: note }, createRedact([]));
  const err = new Error('it broke');

  log.error({ err, request: undefined }, 'a request failed');

  expect(handed).toEqual([{ err, request: undefined }]);
  expect((handed[0] as { err: unknown }).err).toBe(err);
});
