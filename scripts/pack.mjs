// `npm run package [folder]`: builds and packs the package into a folder, by default this one. What it is made of is bundled,
// so the packed manifest has no dependencies: a plain `npm pack` would make every user install them a second time. Its command
// is the program itself, which needs no build.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from './build.mjs';
import { buildAllTypes } from './build-types.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** What only the repository needs. */
const NOT_PACKED = ['scripts', 'dependencies', 'devDependencies', 'overrides', 'allowScripts'];

const npmPack = (cwd, ...args) =>
  execFileSync('npm', ['pack', '--ignore-scripts', ...args], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    shell: process.platform === 'win32',
  });

/**
 * Builds the package and packs it into a folder.
 * @returns {Promise<{ tarball: string, metafiles: import('esbuild').Metafile[] }>} the path of the tarball, and what the
 * bundler reports of everything in it
 */
export const pack = async (folder) => {
  const { metafiles } = await build();
  await buildAllTypes();
  const [{ files }] = JSON.parse(npmPack(root, '--dry-run', '--json'));
  const staged = mkdtempSync(path.join(tmpdir(), 'petstore-sandbox-pack-'));
  try {
    for (const { path: file } of files) {
      mkdirSync(path.dirname(path.join(staged, file)), { recursive: true });
      cpSync(path.join(root, file), path.join(staged, file));
    }
    const manifest = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
    for (const name of NOT_PACKED) delete manifest[name];
    manifest.bin = { 'petstore-sandbox': 'dist/cli.cjs' };
    writeFileSync(path.join(staged, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    const name = npmPack(staged, '--silent', '--pack-destination', path.resolve(folder)).trim();
    return { tarball: path.resolve(folder, name), metafiles };
  } finally {
    rmSync(staged, { recursive: true });
  }
};

if (realpathSync(process.argv[1] ?? '.') === fileURLToPath(import.meta.url)) {
  const { tarball } = await pack(process.argv[2] ?? '.');
  console.log(tarball);
}
