/** What pages of the reference say of rules and tools is what the program and its tests have. */
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { ruleOf, rules } from '../../src/report/rules.ts';
import { NODES, TOOLS } from '../package/prepare.ts';
import { parsePage } from '../support/pages.ts';

it('every rule has its page and anchor, one that nobody wrote down that of its kind', async () => {
  // Drills are named in the results as on their page, which is generated.
  for (const { page, anchor } of rules) {
    const file = page ?? 'docs/reference/rules.md';
    expect([...parsePage(file, await readFile(file, 'utf8')).anchors], file).toContain(anchor);
  }
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
