import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { startTestServer } from '../../support/server.ts';

const server = await startTestServer();

const published = await startTestServer({ settings: { publicUrl: 'https://pets.example/a/' } });
const everywhere = await startTestServer({ settings: { host: '0.0.0.0' } });

const get = (path: string, headers = {}, on = server) => on.client().get(`/_sandbox/${path}`, headers);

describe.each([
  ['openapi.yaml', '/v1'],
  ['control-api.yaml', '/_sandbox'],
])('%s', (name, base) => {
  it('is the specification of the repository with this server’s address, without a key', async () => {
    const reply = await get(name);
    expect([reply.status, reply.headers['content-type']]).toEqual([200, 'application/yaml']);
    const { servers, ...specification } = parse(reply.text);
    expect(servers[0].url).toBe(`${server.url}${base}`);
    const { servers: _, ...original } = parse(await readFile(`spec/${name}`, 'utf8'));
    expect(specification).toEqual(original);
  });

  it('has the address under which the client asked, or the public one; a strange Host never gets in', async () => {
    const urlOf = async (on: typeof server, headers = {}) => parse((await get(name, headers, on)).text).servers[0].url;
    const Host = `localhost:${new URL(server.url).port}`;
    expect(await urlOf(server, { Host })).toBe(`http://${Host}${base}`);
    expect(await urlOf(published)).toBe(`https://pets.example/a${base}`);
    for (const Host of ['$1', "a'b", 'a%20b', '*']) {
      expect(await urlOf(everywhere, { Host })).toBe(`${everywhere.url}${base}`);
    }
    for (const Host of ['x"y', 'a b', 'a/b', "a'b\\"]) expect((await get(name, { Host }, everywhere)).status).toBe(400);
  });
});

it.each(['openapi', 'control-api'])('%s.json says the same as its YAML', async (name) => {
  const reply = await get(`${name}.json`);
  expect([reply.status, reply.headers['content-type']]).toEqual([200, 'application/json']);
  expect(reply.json).toEqual(parse((await get(`${name}.yaml`)).text));
});
