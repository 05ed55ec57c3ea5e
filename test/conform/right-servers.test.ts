/** Servers that conform: our own with each fixture, and such as are right by the specification alone. */
import { expect, test } from 'vitest';
import { sharedServer } from '../support/server.ts';
import { different, run } from './run.ts';
import { startWrongServer } from './wrong-server.ts';

const server = await sharedServer();

test.each(['boundary', 'large'])('our own server conforms with its fixture %s', async (fixture) => {
  const { key = '' } = await server.sandbox({ fixture });
  expect(different(await run(`${server.url}/v1`, key))).toEqual([]);
});

test.each(['no 405', 'list in descending order', 'error body with further members'] as const)(
  'a server with this of its own passes with specificationOnly, which asks nothing else of it: %s',
  async (fault) => {
    const { key = '' } = await server.sandbox();
    const conformance = await run(await startWrongServer(server.url, key, fault), key, { specificationOnly: true });
    expect([different(conformance), conformance.verdict]).toEqual([[], 'conforms']);
  },
);
