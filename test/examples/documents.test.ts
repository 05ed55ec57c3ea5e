/** What is published as YAML is read by another parser, too: PyYAML, which knows YAML 1.1. And its variables are known. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { SETTINGS } from '../../src/base/settings/settings.ts';
import { newFolder } from '../support/folder.ts';
import { startTestServer } from '../support/server.ts';
import { run } from './support.ts';

const server = await startTestServer();

const READ = 'import json, sys, yaml; print(json.dumps(list(yaml.safe_load_all(open(sys.argv[1])))))';

/** The documents of a text, as PyYAML reads them; fails for a date, which has no JSON. */
async function readByPython(text: string): Promise<unknown> {
  const folder = await newFolder({ 'document.yaml': text });
  const { code, stdout, stderr } = await run('/usr/bin/python3', ['-c', READ, join(folder, 'document.yaml')], {
    folder,
  });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

it.for(['openapi', 'control-api'])('%s.yaml says the same to PyYAML as its JSON', async (name) => {
  const served = await server.client().get(`/_sandbox/${name}.yaml`);
  const { json } = await server.client().get(`/_sandbox/${name}.json`);
  expect(await readByPython(served.text)).toEqual([JSON.parse(JSON.stringify(json, plain))]);
  expect(await readByPython(await readFile(`spec/${name}.yaml`, 'utf8'))).toMatchObject([{ info: json.info }]);
});

/** int64 as JSON.parse reads it, as that of what Python printed. */
const plain = (_: string, value: unknown) => (typeof value === 'bigint' ? Number(value) : value);

it.for(['openapi', 'control-api'])('%s.yaml has no aliases, which some readers do not know', async (name) => {
  const text = await readFile(`spec/${name}.yaml`, 'utf8');
  expect(() => parse(text, { maxAliasCount: 0 })).not.toThrow();
});

const examples = (await readdir('examples', { recursive: true })).filter((name) => /\.ya?ml$/.test(name));

it.for([
  'action.yml',
  '.github/actions/report/action.yml',
  'compose.yaml',
  ...examples.map((name) => `examples/${name}`),
])('PyYAML reads %s', async (file) => {
  expect(await readByPython(await readFile(file, 'utf8'))).not.toEqual([null]);
});

/** What commands read, and the addresses of the balancer. */
const OTHERS = ['SANDBOX_URL', 'SANDBOX_KEY', 'SANDBOX_CACERT', 'SANDBOX_IMAGE', 'SANDBOX_A', 'SANDBOX_B'];

it.each([
  'examples/github-actions.yml',
  'examples/gitlab-ci.yml',
  'examples/testcontainers.ts',
  'compose.yaml',
  'examples/kubernetes.yaml',
  'docs/operate/docker.md',
  'examples/servers/haproxy.cfg',
  'Dockerfile',
])('%s sets only variables that the program knows', async (file) => {
  const known = [...Object.values(SETTINGS).map(({ variable }) => variable), ...OTHERS];
  const named = (await readFile(file, 'utf8')).match(/\bSANDBOX_[A-Z_]*[A-Z]\b/g) ?? [];
  expect(named.filter((variable) => !known.includes(variable))).toEqual([]);
});
