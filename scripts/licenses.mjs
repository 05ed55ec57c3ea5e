// The licenses of what is really in the bundles, as the bundler reports it: packages whose code was dropped are not
// listed, and a license that nobody has looked at yet stops the build.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** What may be bundled: each allows it if its text comes along. */
const ALLOWED = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT'];

/** License texts, and the notices that Apache-2.0 wants to see passed on. */
const IS_TEXT = /^(?:licen[cs]e|copying|notice)(?:\.(?:md|txt))?$/i;

const MIT = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

/** The folder of the package that a source file belongs to: `node_modules/express/node_modules/accepts`. */
const folderOf = (source) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1];

/**
 * The packages in bundles, sorted by name.
 * @param {import('esbuild').Metafile[]} metafiles
 * @returns {Promise<{ name: string, version: string, license: string, folder: string, source?: string }[]>}
 */
export const packagesIn = async (metafiles) => {
  const outputs = metafiles.flatMap((metafile) => Object.values(metafile.outputs));
  const sources = outputs.flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([source, { bytesInOutput }]) => (bytesInOutput > 0 ? [source] : [])),
  );
  const folders = [...new Set(sources.map(folderOf).filter((folder) => folder !== undefined))];
  const packages = await Promise.all(folders.map(readPackage));
  // By characters, which are the same on every machine.
  return packages.sort((a, b) => (`${a.name}@${a.version}` < `${b.name}@${b.version}` ? -1 : 1));
};

const readPackage = async (folder) => {
  const manifest = JSON.parse(await readFile(path.join(root, folder, 'package.json'), 'utf8'));
  const { name, version, licenses, repository } = manifest;
  const license = manifest.license ?? licenses?.[0]?.type;
  if (!ALLOWED.includes(license)) throw new Error(`${name} ${version} has the license ${license}: may it be bundled?`);
  // Where only the old field says so, neither npm nor the lock file knows the license: a reader may want to check it.
  const source = manifest.license === undefined ? repository.url.replace(/^git:(.*)\.git$/, 'https:$1') : undefined;
  return { name, version, license, folder, source };
};

/**
 * Which package imports which, by their folders; `undefined` is our own code.
 * @param {import('esbuild').Metafile[]} metafiles
 * @returns {[string | undefined, string][]}
 */
export const importsBetween = (metafiles) => {
  const inputs = metafiles.flatMap((metafile) => Object.entries(metafile.inputs));
  return inputs.flatMap(([source, { imports }]) => {
    const [from, to] = [folderOf(source), imports.map((each) => folderOf(each.path))];
    return to.flatMap((folder) => (folder === undefined || folder === from ? [] : [[from, folder]]));
  });
};

/** The texts that a package ships; three packages say MIT and ship none. */
const textsOf = async ({ name, license, folder }) => {
  const files = (await readdir(path.join(root, folder))).filter((file) => IS_TEXT.test(file)).sort();
  const texts = await Promise.all(files.map((file) => readFile(path.join(root, folder, file), 'utf8')));
  if (texts.length > 0) return texts.map((text) => text.replaceAll('\r\n', '\n').trim());
  if (license !== 'MIT') throw new Error(`${name} says ${license} and ships no text of it`);
  return [`The package ships no text. That of the MIT license is:\n\n${MIT}`];
};

/**
 * The licenses of all packages in bundles, as one text. Packages with the same text share it.
 * @param {import('esbuild').Metafile[]} metafiles
 */
export const licensesOf = async (metafiles) => {
  const byText = new Map();
  for (const each of await packagesIn(metafiles)) {
    const text = (await textsOf(each)).join('\n\n');
    const title = `${each.name} ${each.version} (${each.license})${each.source ? `\n  from ${each.source}` : ''}`;
    byText.set(text, [...(byText.get(text) ?? []), title]);
  }
  const line = '-'.repeat(80);
  const parts = [...byText].map(([text, titles]) => `${line}\n${titles.join('\n')}\n${line}\n\n${text}\n`);
  return `petstore-sandbox bundles the packages below. Each is followed by its license.\n\n${parts.join('\n')}`;
};
