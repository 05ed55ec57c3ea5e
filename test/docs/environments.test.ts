/** docs/reference/environments.md: what it says that tests run on is what they run on. */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { NODES, TOOLS } from '../package/prepare.ts';

const page = await readFile('docs/reference/environments.md', 'utf8');
const tried = new Set([...page.matchAll(/\*\*(\d[\d.]*)\*\*/g)].map(([, version]) => version));

test('the versions in bold are those of the tests, and all of them', () => {
  const tools = TOOLS.filter((each) => !/^(?:typescript|@types)/.test(each)).map((each) => each.split('@').at(-1));
  const { devDependencies } = manifest;
  const drivers = [devDependencies['playwright-core'], devDependencies['puppeteer-core']];
  expect([...tried].sort()).toEqual([...new Set([...Object.values(NODES), ...tools, ...drivers])].sort());
});
