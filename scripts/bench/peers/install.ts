/** Installs programs to compare with: apart from the project's own dependencies, and each only when it takes part. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Their versions, by name. */
export const pinned: Readonly<Record<string, string>> = read(here('versions.json'));

/**
 * The path of a file of a package, which is installed where it is missing or of another version.
 *
 * @throws when npm cannot install it
 */
export function installed(name: string, file: string): string {
  const home = here(`node_modules/${name.replace(/\W/g, '')}`);
  const manifest = join(home, 'node_modules', name, 'package.json');
  const isThere = () => existsSync(manifest) && read(manifest).version === pinned[name];
  if (!isThere()) {
    console.log(`installing ${name} ${pinned[name]}, once`);
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, 'package.json'), '{ "private": true }');
    const flags = ['--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund'];
    const npm = spawnSync('npm', ['install', ...flags, `${name}@${pinned[name]}`], {
      cwd: home,
      stdio: 'inherit',
      shell: process.platform === 'win32',
    });
    if (!isThere()) throw new Error(`could not be installed: npm ended with ${npm.error?.message ?? npm.status}`);
  }
  return join(home, 'node_modules', name, file);
}
