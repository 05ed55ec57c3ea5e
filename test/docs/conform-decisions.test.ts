/**
 * docs/decisions.md and conform: all that conform checks beyond the specification stands on the page, and each rule that
 * the page names is checked.
 */
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { basisOf, RULES, type Rule, ruleNames } from '../../src/conform/rules.ts';
import { suite } from '../../src/conform/suite.ts';

const page = await readFile('docs/decisions.md', 'utf8');
const checks = suite('a-key-of-somebody');

/** The rules in the last columns; a heading has `conform` there. */
const lastColumns = [...page.matchAll(/^\| .* \| ([^|]+) \|$/gm)]
  .map(([, last = '']) => last)
  .filter((last) => last !== 'rule of `conform`');
const written = new Set(
  lastColumns.flatMap((last) => [...last.matchAll(/`([a-z0-9-]+)`/g)].map(([, rule]) => rule as Rule)),
);

it('names every rule beyond the specification on the page', () => {
  const beyond = ruleNames.filter((rule) => basisOf(rule) === 'sandbox');
  expect(beyond.filter((rule) => !written.has(rule))).toEqual([]);
  expect(beyond.length).toBeGreaterThan(15);
});

it('names no rule on the page that conform does not have', () => {
  expect([...written].filter((rule) => !Object.hasOwn(RULES, rule))).toEqual([]);
});

it('has a last column in every row: a rule, or a dash', () => {
  const tables = page.split('\n').filter((line) => line.startsWith('| ') && !line.includes('rule of `conform`'));
  expect(tables.length).toBeGreaterThan(40);
  expect(tables.filter((line) => !/\| (–|`[a-z0-9-]+`(, `[a-z0-9-]+`)*) \|$/.test(line))).toEqual([]);
});

describe('each decision about a request that the page names', () => {
  const requests = [...page.matchAll(/^\| `([A-Z]+) \S+`.*? \| (\d{3}).*\| (`[^|]+`) \|$/gm)].map(
    ([, method = '', status = '', last = '']) => ({
      method,
      status: Number(status),
      rule: /`([a-z0-9-]+)`/.exec(last)?.[1] as Rule,
    }),
  );

  it.each(requests)('is checked by conform: $method gets $status by $rule', ({ status, rule }) => {
    const own = checks.filter((check) => check.rule === rule);
    expect(own.filter(({ name }) => name.endsWith(`: ${status}`)).length).toBeGreaterThan(0);
  });

  it('is found on the page', () => expect(requests.length).toBeGreaterThan(20));
});
