/** The anchors that results link to are there. */
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { ruleOf, rules } from '../../src/report/rules.ts';
import { EACH } from '../report/each.ts';
import { parsePage } from '../support/pages.ts';

const page = await readFile('docs/reference/rules.md', 'utf8');

it('every rule has its anchor there, one that nobody wrote down that of its kind', () => {
  const { anchors } = parsePage('docs/reference/rules.md', page);
  for (const rule of rules) expect(anchors).toContain(rule.anchor);
  expect(ruleOf('request/multipleOf').id).toBe('request/other');
  expect(ruleOf('response/status').id).toBe('response/other');
});

// Drills are named in the results as on their page, which is generated.
it.each(['conformance', 'replay'] as const)('every rule of the results of %s has its page and anchor', async (of) => {
  for (const { page: file, anchor } of EACH[of].rules) {
    const { anchors } = parsePage(file, await readFile(file, 'utf8'));
    expect([...anchors], file).toContain(anchor);
  }
});
