/** What pages of the reference say of rules and tools is what the program and its tests have. */
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { basisOf, type ConformRule, RULES, ruleNames } from '../../src/conform/rules.ts';
import { ruleOf, rules } from '../../src/report/rules.ts';
import { NODES, TOOLS } from '../package/prepare.ts';
import { EACH } from '../report/each.ts';
import { parsePage } from '../support/pages.ts';

it('behavior.md names the rules of conform beyond the specification, all of them and no others', async () => {
  const page = await readFile('docs/reference/behavior.md', 'utf8');
  // The rules of a decision: in parentheses at its end, or in its row.
  const decisions = page.matchAll(/^- .* \((`[^)]+`)\)$|^\|\d+\|[^|]*\|(`[^`|]+`)\|/gm);
  const written = [...decisions].flatMap(([, inText = '', inRow = '']) =>
    [...(inText + inRow).matchAll(/`([a-z0-9-]+)`/g)].map(([, name]) => name as ConformRule),
  );
  expect(written).toEqual(expect.arrayContaining(ruleNames.filter((rule) => basisOf(rule) === 'sandbox')));
  expect(written.filter((rule) => !Object.hasOwn(RULES, rule))).toEqual([]);
});

it('every rule has its page and anchor, one that nobody wrote down that of its kind', async () => {
  // Drills are named in the results as on their page, which is generated.
  for (const { page, anchor } of [...rules, ...EACH.conformance.rules]) {
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
