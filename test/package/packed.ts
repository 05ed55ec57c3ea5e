/**
 * Packs the package, and installs it into two projects that all tests share. One has nothing else, the other the tools of
 * its users. Beside them are the Nodes that the package is run on.
 */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { inject } from 'vitest';
import { limit } from '../support/slow.ts';
import { NODES, TOOLS } from './prepare.ts';
import { npm } from './run.ts';

/** The package, packed and installed. */
export interface Packed {
  /** What `npm run package` made. */
  readonly tarball: string;
  /** A project with the package alone. */
  readonly alone: string;
  /** A project with the package and the tools of its users. */
  readonly tools: string;
  /** Node's programs, by their version's first number. */
  readonly nodes: Readonly<Record<string, string>>;
}

const INSTALL = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', '--save-exact'];

/** Makes a project and installs packages into it. */
async function project(folder: string, packages: readonly string[]): Promise<string> {
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  await npm([...INSTALL, ...packages], folder);
  return folder;
}

async function pack(folder: string): Promise<string> {
  const said = await npm(['run', '--silent', 'package', folder], process.cwd());
  return said.trim().split('\n').at(-1) as string;
}

/** The Nodes in a folder of their own: their `node_modules/.bin` would shadow the one that a test chooses. */
async function installNodes(folder: string): Promise<Record<string, string>> {
  const { platform, arch } = process;
  const name = `node-${platform === 'win32' ? 'win' : platform}-${arch}`;
  const own = process.versions.node.split('.')[0] as string;
  const others = Object.entries(NODES).filter(([major]) => major !== own);
  const aliases = others.map(([major, version]) => `node${major}@npm:${name}@${version}`);
  await project(folder, aliases);
  const program = platform === 'win32' ? 'node.exe' : 'node';
  const programOf = (major: string): string => join(folder, 'node_modules', `node${major}`, 'bin', program);
  return { ...Object.fromEntries(others.map(([major]) => [major, programOf(major)])), [own]: process.execPath };
}

async function prepare(folder: string): Promise<Packed> {
  const [tarball, nodes] = await Promise.all([pack(folder), installNodes(join(folder, 'nodes'))]);
  const [alone, tools] = await Promise.all([
    project(join(folder, 'alone'), [tarball]),
    project(join(folder, 'tools'), [tarball, ...TOOLS]),
  ]);
  return { tarball, alone, tools, nodes };
}

const PATIENCE_MS = limit(300_000);

/** Prepares all in the first file that asks for it; the others wait. @throws {Error} with what went wrong */
export async function packed(): Promise<Packed> {
  const { folder } = inject('package');
  const file = join(folder, 'packed.json');
  const isFirst = await mkdir(join(folder, 'begun')).then(
    () => true,
    () => false,
  );
  if (isFirst) {
    const outcome = await prepare(folder).catch((error: Error) => ({ failed: error.message }));
    await writeFile(`${file}.tmp`, JSON.stringify(outcome));
    await rename(`${file}.tmp`, file);
  }
  for (let waited = 0; waited < PATIENCE_MS; waited += 100) {
    const text = await readFile(file, 'utf8').catch(() => undefined);
    const outcome = text === undefined ? undefined : (JSON.parse(text) as Packed | { failed: string });
    if (outcome && 'failed' in outcome) throw new Error(outcome.failed);
    if (outcome) return outcome;
    await after(100);
  }
  throw new Error('the package was not packed and installed in time');
}
