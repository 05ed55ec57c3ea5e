/** Runs of conform for the tests, and what they found. */
import type { ConformCheck } from '../../src/conform/check.ts';
import { type Conformance, type ConformOptions, conform } from '../../src/conform/conform.ts';
import type { ConformRule } from '../../src/conform/rules.ts';
import { suite } from '../../src/conform/suite.ts';
import { limit } from '../support/slow.ts';

/** A run without a pause that may create pets. @param url the base address of the API @param isWanted of the suite's checks */
export const run = (
  url: string,
  key: string,
  options: Partial<ConformOptions> = {},
  isWanted: (check: ConformCheck, at: number) => boolean = () => true,
): Promise<Conformance> => {
  const defaults = { timeoutMs: limit(10_000), pauseMs: 0, stop: new AbortController().signal, allowCreate: true };
  const all = { ...defaults, specificationOnly: false, ignored: new Set<never>(), known: [], ...options };
  return conform({ url, key, ...all }, suite(key).filter(isWanted));
};

/** The rules that are broken. */
export const found = ({ results }: Conformance): ConformRule[] => [
  ...new Set(results.flatMap(({ differences }) => differences.map(({ rule }) => rule))),
];

/** The names of the checks in which something differs. */
export const different = ({ results }: Conformance): string[] =>
  results.filter(({ differences }) => differences.length > 0).map(({ name }) => name);
