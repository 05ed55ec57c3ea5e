/** The anchors that results link to are there. */
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { ruleOf, rules } from '../../src/report/rules.ts';
import { parsePage } from '../support/pages.ts';

const page = await readFile('docs/reference/rules.md', 'utf8');

it('every rule has its anchor there, one that nobody wrote down that of its kind', () => {
  const { anchors } = parsePage('docs/reference/rules.md', page);
  for (const rule of rules) expect(anchors).toContain(rule.anchor);
  expect(ruleOf('request/multipleOf').id).toBe('request/other');
  expect(ruleOf('response/status').id).toBe('response/other');
});
