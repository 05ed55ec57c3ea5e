/** The two specifications, as this server gives them out. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { newFolder } from '../support/folder.ts';
import { startTestServer } from '../support/server.ts';

const server = await startTestServer();

const published = await startTestServer({ settings: { publicUrl: 'https://pets.example/a/' } });
const everywhere = await startTestServer({ settings: { host: '0.0.0.0' } });

const get = (path: string, headers = {}) => server.client().get(path, headers);
const onDisk = async (name: string) => parse(await readFile(`spec/${name}`, 'utf8'));

describe.each([
  ['openapi.yaml', '/v1'],
  ['control-api.yaml', '/_sandbox'],
])('%s', (name, base) => {
  it('is the specification of the repository with this server’s address, without a key', async () => {
    const reply = await get(`/_sandbox/${name}`);
    expect([reply.status, reply.headers['content-type']]).toEqual([200, 'application/yaml']);
    const specification = parse(reply.text);
    expect(specification.servers.map(({ url }: { url: string }) => url)).toEqual([`${server.url}${base}`]);
    const original = await onDisk(name);
    expect({ ...specification, servers: [] }).toEqual({ ...original, servers: [] });
  });

  it('has the address under which the client asked, or the public one; a strange Host never gets in', async () => {
    const port = new URL(server.url).port;
    const asked = parse((await get(`/_sandbox/${name}`, { Host: `localhost:${port}` })).text);
    expect(asked.servers[0].url).toBe(`http://localhost:${port}${base}`);
    const shown = parse((await published.client().get(`/_sandbox/${name}`)).text);
    expect(shown.servers[0].url).toBe(`https://pets.example/a${base}`);
    for (const host of ['$1', "a'b", 'a%20b', '*']) {
      const strange = parse((await everywhere.client().get(`/_sandbox/${name}`, { Host: host })).text);
      expect(strange.servers[0].url).toBe(`${everywhere.url}${base}`);
    }
    for (const host of ['x"y', 'a b', 'a/b', "a'b\\"])
      expect((await everywhere.client().get(`/_sandbox/${name}`, { Host: host })).status).toBe(400);
  });

  it('passes the linter as it is given out', async () => {
    const folder = await newFolder({ [name]: (await get(`/_sandbox/${name}`)).text });
    const redocly = promisify(execFile)(
      process.execPath,
      ['node_modules/@redocly/cli/bin/cli.js', 'lint', '--config', 'scripts/redocly.yaml', join(folder, name)],
      { env: { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', CI: 'true' } },
    );
    await expect(redocly).resolves.toBeDefined();
  });
});

it('openapi.json says the same as openapi.yaml', async () => {
  const reply = await get('/_sandbox/openapi.json');
  expect([reply.status, reply.headers['content-type']]).toEqual([200, 'application/json']);
  expect(reply.json).toEqual(parse((await get('/_sandbox/openapi.yaml')).text));
});
