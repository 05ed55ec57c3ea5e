/** What the words of the strip let through, of requests that a client really sent. */
import { expect, it } from 'vitest';
import { FINDINGS, KINDS, narrowed } from '../../src/dashboard/app/live/filters.ts';
import type { Summary } from '../../src/dashboard/app/live/kept.ts';
import { startTestServer } from '../support/server.ts';
import { exchangeBytes } from '../support/wire.ts';

const server = await startTestServer();
const client = await server.sandbox();

const MEANT = { 'Sandbox-Expect': 'invalid' };
const BY_PAGE = { 'Sandbox-Source': 'dashboard' };
const names = new Map(
  Object.entries({
    fine: await client.get('/v1/pets'),
    invalid: await client.get('/v1/pets?limit=500'),
    meant: await client.get('/v1/pets?limit=500', MEANT),
    missing: await client.get('/v1/pets/99'),
    faulty: await client.get('/v1/pets', { 'Sandbox-Fault': 'status=503' }),
    astray: await client.get('/v1/toys'),
    head: await client.send({ method: 'HEAD', path: '/v1/pets' }),
    'of the page': await client.get('/v1/pets?limit=500', BY_PAGE),
  }).map(([name, { requestId }]) => [requestId, name]),
);
const { id } = (await client.get('/_sandbox')).json;
await exchangeBytes(client.url, `GET /${id}/v1/pets?a b HTTP/1.1\r\n\r\n`);
const requests: readonly Summary[] = (await client.get('/_sandbox/requests')).json.requests.toReversed();

const through = (filter: Parameters<typeof narrowed>[1], found?: ReadonlySet<string>): string[] =>
  narrowed(requests, filter, found).map(({ id }) => names.get(id) ?? 'no HTTP');

it('each word lets through what it says, and every request is of one kind', () => {
  const byWord = (words: object) => Object.fromEntries(Object.keys(words).map((show) => [show, through({ show })]));
  expect(byWord(FINDINGS)).toEqual({
    violations: ['invalid', 'meant', 'astray', 'no HTTP'],
    rejected: ['missing'],
    warnings: ['missing'],
  });
  const kinds = byWord(KINDS);
  expect(kinds).toEqual({
    validated: ['fine', 'invalid', 'missing'],
    expectedInvalid: ['meant'],
    injected: ['faulty'],
    notValidated: ['head'],
    notRecognized: ['astray'],
    malformed: ['no HTTP'],
    skipped: ['of the page'],
  });
  expect(Object.values(kinds).flat().sort()).toEqual([...names.values(), 'no HTTP'].sort());
});

it('operation, status and search narrow it further', () => {
  expect(through({ operation: 'getPet' })).toEqual(['missing']);
  expect(through({ operation: 'none' })).toEqual(['astray', 'no HTTP']);
  expect(through({ operation: 'listPets', status: '503' })).toEqual(['faulty']);
  const found = new Set(requests.filter(({ target }) => target.includes('500')).map(({ id }) => id));
  expect(through({ status: '400', show: 'violations' }, found)).toEqual(['invalid', 'meant']);
});
