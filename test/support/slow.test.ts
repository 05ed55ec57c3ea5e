import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { slownessOf } from './slow.ts';

describe('the factor of a limit', () => {
  it.each([
    [0, 2, undefined, 1],
    [0.4, 2, undefined, 2],
    [2, 2, undefined, 2],
    [20, 2, '', 11],
    [20, 2, '3', 3],
    [0, 2, '1.5', 1.5],
  ])('at load %d on %d processors, with SANDBOX_TEST_SLOW=%s, is %d', (load, cores, set, factor) => {
    expect(slownessOf({ load, cores, set })).toBe(factor);
  });

  it.each(['0', 'fast', '-1', '1e9'])('is rejected as %s', (set) => {
    expect(() => slownessOf({ load: 0, cores: 2, set })).toThrow('SANDBOX_TEST_SLOW must be a number from 1 to 999');
  });
});

describe('limits in the tests', () => {
  /** A limit that takes no account of the machine: `timeout: 5000`, or the last argument of a test or a hook. */
  const preconfigured = /(?:\b(?:test|hook)?[tT]imeout: |^\s*\}, )\d[\d_]{3,}/;
  const findings = (text: string): string[] => text.split('\n').filter((line) => preconfigured.test(line));

  it.each([
    "it('works', { timeout: 5000 }, async () => {",
    '}, 60_000);',
    '    testTimeout: 20_000,',
    'expect.poll(seen, { timeout: 10_000 });',
  ])('are found where they are fixed: %s', (line) => expect(findings(line)).toEqual([line]));

  it('all go through slow.ts', async () => {
    const names = (await readdir('test', { recursive: true })).filter((name) => /(?<!slow\.test)\.ts$/.test(name));
    const found = await Promise.all(
      [...names.map((name) => join('test', name)), 'vitest.config.ts'].map(async (file) =>
        findings(await readFile(file, 'utf8')).map((line) => `${file}: ${line.trim()}`),
      ),
    );
    expect(found.flat()).toEqual([]);
  });
});
