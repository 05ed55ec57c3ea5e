/** docs/reference/behavior.md names each rule of conform beyond the specification. */
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { basisOf, type ConformRule, RULES, ruleNames } from '../../src/conform/rules.ts';

const page = await readFile('docs/reference/behavior.md', 'utf8');

/** The rules of a decision: in parentheses at its end, or in its row. */
const written = new Set(
  [...page.matchAll(/^- .* \((`[^)]+`)\)$|^\|\d+\|[^|]*\|(`[^`|]+`)\|/gm)].flatMap(([, rules = '', rule = '']) =>
    [...(rules + rule).matchAll(/`([a-z0-9-]+)`/g)].map(([, name]) => name as ConformRule),
  ),
);

it('names every rule beyond the specification on the page', () => {
  const beyond = ruleNames.filter((rule) => basisOf(rule) === 'sandbox');
  expect(beyond.filter((rule) => !written.has(rule))).toEqual([]);
  expect(beyond.length).toBeGreaterThan(15);
});

it('names no rule on the page that conform does not have', () => {
  expect([...written].filter((rule) => !Object.hasOwn(RULES, rule))).toEqual([]);
});
