// dist/fixtures/: the shipped fixtures that name a recipe, with their pets. To generate ten thousand pets takes ten times as long as
// to read them, and a start with sandboxes that have such a fixture waits for it. A step of build.mjs.
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const SOURCES = `
  export { readFixture } from './src/sandbox/fixture-file.ts';
  export { fixtureParts } from './src/sandbox/fixture-file.ts';
  export { newFixture } from './src/sandbox/new-fixture.ts';
`;

/** The code that makes a fixture of a recipe, with the specification that pets follow. */
const readCode = async () => {
  const stdin = { contents: SOURCES, resolveDir: root, loader: 'ts' };
  const options = { bundle: true, format: 'esm', platform: 'node', packages: 'external', logLevel: 'error' };
  const { outputFiles } = await build({ stdin, write: false, ...options });
  return outputFiles[0].text;
};

/** Writes the files that are not there, or were made by other code. @param {string} outdir */
export const buildFixtures = async (outdir) => {
  const folder = path.join(outdir, 'fixtures');
  await mkdir(folder, { recursive: true });
  const code = await readCode();
  for (const name of await readdir(path.join(root, 'fixtures'))) {
    const text = await readFile(path.join(root, 'fixtures', name), 'utf8');
    if (name.endsWith('.schema.json') || JSON.parse(text).generate === undefined) continue;
    const file = path.join(folder, name);
    const key = createHash('sha256').update(code).update(text).digest('hex');
    if ((await readFile(`${file}.key.tmp`, 'utf8').catch(() => undefined)) === key) continue;
    const script = path.join(root, 'node_modules/.cache/fixtures.mjs');
    await mkdir(path.dirname(script), { recursive: true });
    await writeFile(script, code);
    const { readFixture, newFixture, fixtureParts } = await import(script);
    const content = readFixture(text, name);
    const { nextId, pets } = await newFixture(content);
    const about = { description: content.description, nextId };
    const { before, items, between, after } = fixtureParts({ ...about, pets: pets.map(({ json }) => json) });
    await writeFile(`${file}.tmp`, before + [...items].join(between) + after());
    await rename(`${file}.tmp`, file);
    await writeFile(`${file}.key.tmp`, key);
  }
};
