/** Requests that no operation matches are findings, in every form. */
import { describe, expect, it } from 'vitest';
import type { Report } from '../../src/report/report.ts';
import type { Client } from '../support/client.ts';
import { sharedServer } from '../support/server.ts';

const server = await sharedServer();

const reportOf = async (client: Client): Promise<Report> => (await client.get('/_sandbox/report')).json;

describe('a request that no operation matches', () => {
  it.each([
    ['GET', '/v1/pet/1', 'GET /v1/pet/{id}', 'GET /v1/pets?limit=100'],
    ['GET', '/v1/pets/', 'GET /v1/pets/', 'GET /v1/pets'],
    ['POST', '/v1/pets/?dryRun=1', 'POST /v1/pets/', 'POST /v1/pets?dryRun=1'],
    ['GET', '/v1/Pets', 'GET /v1/Pets', 'GET /v1/pets'],
  ])('fails the verdict, with the operation that was probably meant: %s %s', async (method, path, location, meant) => {
    const client = await server.sandbox();
    expect((await client.get('/v1/pets')).status).toBe(200);
    const { status } = await client.send({ method, path });
    const report = await reportOf(client);
    expect([report.verdict, report.reasons]).toEqual(['fail', ['1 request matches no operation']]);
    expect(report.noOperation).toMatchObject([
      {
        method,
        path: location.split(' ')[1],
        message: `no such operation; did you mean \`${meant.split('?')[0]}\`?`,
        sample: { request: `${method} ${path}`, status, instead: meant },
        count: 1,
      },
    ]);
    expect(report.totals.noOperation).toBe(1);
  });

  it.each(['PATCH', 'PUT', 'DELETE'])(
    'is none that another would stand in for, where the API has no %s',
    async (method) => {
      const client = await server.sandbox();
      await client.send({ method, path: '/v1/pets/1' });
      const [found] = (await reportOf(client)).noOperation;
      expect(found).toMatchObject({
        method,
        sample: { instead: null },
        fix: expect.stringMatching(/^Leave this request out/),
      });
      expect(found?.message).toContain(method);
    },
  );

  it('is one to the operation that is not described, too, which is like no other', async () => {
    const client = await server.sandbox();
    await client.get('/v1/store/orders');
    await client.get('/v1/nothing');
    const { verdict, noOperation } = await reportOf(client);
    expect(verdict).toBe('fail');
    expect(noOperation.map(({ path, message, sample }) => [path, message, sample.instead])).toEqual([
      ['/v1/store/orders', 'the API of this operation is not described', null],
      ['/v1/nothing', 'no such operation', null],
    ]);
  });

  it('is counted with others of its kind, whatever the id', async () => {
    const client = await server.sandbox();
    for (const id of ['1', '9223372036854775807', '-7']) await client.get(`/v1/pet/${id}`);
    const [group, ...others] = (await reportOf(client)).noOperation;
    expect([group?.count, others]).toEqual([3, []]);
  });

  it('takes bounded room, and shows no secret', async () => {
    const client = await server.sandbox();
    await client.getMany(1_500, (n) => `/v1/${'x'.repeat(200)}${n}/a${n}`);
    await client.get(`/v1/${client.key}`);
    await client.getMany(1_500, (n) => `/v1/a${n}b`);
    const { text } = await client.get('/_sandbox/report');
    const { noOperation, incompleteReasons } = JSON.parse(text) as Report;
    expect(noOperation.length).toBeLessThan(1_000);
    expect(incompleteReasons.join()).toMatch(/there was no room to count \d+ findings/);
    expect(text).toContain('/v1/[key]');
    expect(text).not.toContain(String(client.key));
    for (const { path } of noOperation) expect(path.length).toBeLessThanOrEqual(101);
  });
});
