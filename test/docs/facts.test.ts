/** What the pages of the reference say of tools is what the tests have; each finding has a rule. */
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { ruleOf } from '../../src/verdict/report/rules.ts';
import { NODES, TOOLS } from '../package/prepare.ts';

it('a rule that nobody wrote down is that of its kind', () => {
  expect(ruleOf('request/multipleOf').id).toBe('request/other');
  expect(ruleOf('response/status').id).toBe('response/other');
});

it('the versions in bold of environments.md are those of the tests, and all of them', async () => {
  const page = await readFile('docs/reference/environments.md', 'utf8');
  const tried = new Set([...page.matchAll(/\*\*(\d[\d.]*)\*\*/g)].map(([, version]) => version));
  const tools = TOOLS.filter((each) => !/^(?:typescript|@types)/.test(each)).map((each) => each.split('@').at(-1));
  const { devDependencies } = manifest;
  const drivers = [devDependencies['playwright-core'], devDependencies['puppeteer-core']];
  expect([...tried].sort()).toEqual([...new Set([...Object.values(NODES), ...tools, ...drivers])].sort());
});
