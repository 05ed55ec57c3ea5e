/** Validators for the tests, and what they say in short. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';
import { afterAll } from 'vitest';
import type { Verdict } from '../../../src/base/api/exchange.ts';

/** Violations in short: `request query/limit maximum`. */
export const inShort = (verdict: Verdict | undefined): string[] | undefined =>
  verdict?.violations.map(({ side, location, rule }) => `${side} ${location} ${rule}`);

/** What a JSON pointer leads to in a specification, without following references; throws where it leads nowhere. */
export const resolvePointer = (specification: unknown, pointer: string): unknown => {
  if (pointer === '#') return specification;
  let node = specification;
  for (const part of pointer.slice(2).split('/')) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, name))
      throw new Error(`${pointer}: no ${part}`);
    node = (node as Record<string, unknown>)[name];
  }
  return node;
};

const directories: string[] = [];
// Here and not where they are made: that is in a hook, and a hook within a hook is never called.
afterAll(() => {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
});

/** Bundles a worker's file of `test/verdict/validator/validators/` as the product's is; gone after the tests of the file. */
export const buildValidator = async (name: string): Promise<URL> => {
  const directory = mkdtempSync(path.join(tmpdir(), 'petstore-validator-'));
  directories.push(directory);
  const outfile = path.join(directory, `${name}.mjs`);
  await esbuild.build({
    entryPoints: [fileURLToPath(new URL(`validators/${name}.ts`, import.meta.url))],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    banner: { js: "import { createRequire } from 'node:module';const require = createRequire(import.meta.url);" },
    logLevel: 'error',
  });
  return pathToFileURL(outfile);
};
