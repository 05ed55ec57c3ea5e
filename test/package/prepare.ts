/**
 * Before the tests: packs the package, and installs it into two projects that all tests share. One has nothing else, the
 * other the tools of its users. Beside them are the Nodes that the package is run on.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { committed } from './release.ts';
import { npm } from './run.ts';

/** The package, packed and installed. */
export interface Packed {
  /** What `npm run package` made. */
  readonly tarball: string;
  /** Git, for which the tree is clean. */
  readonly cleanGit: Readonly<Record<string, string>>;
  /** A project with the package alone. */
  readonly alone: string;
  /** A project with the package and the tools of its users. */
  readonly tools: string;
  /** Node's programs, by their version's first number. */
  readonly nodes: Readonly<Record<string, string>>;
}

declare module 'vitest' {
  interface ProvidedContext {
    packed: Packed;
  }
}

/** The lines of Node that the package runs on, as the registry has them; the oldest one as old as it may be. */
export const NODES = { 20: '20.19.0', 22: '22.23.3', 24: '24.21.0' };

/** What users of the package run it with. */
export const TOOLS = [
  ...['jest@30.5.2', 'vitest@4.1.12', 'typescript@5.9.3', '@types/node@20.19.43'],
  // They replace globals.
  ...['jest-environment-jsdom@30.5.2', 'jsdom@29.1.1', 'happy-dom@21.0.4', 'sinon@22.1.0'],
  // They replace the network. nock 15 needs Node 22.
  ...['msw@2.15.0', 'nock@14.0.17'],
];

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

export async function setup({ provide }: Pick<TestProject, 'provide'>): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-sandbox-package-'));
  const [tarball, nodes, cleanGit] = await Promise.all([
    pack(folder),
    installNodes(join(folder, 'nodes')),
    committed(join(folder, 'git')),
  ]);
  const [alone, tools] = await Promise.all([
    project(join(folder, 'alone'), [tarball]),
    project(join(folder, 'tools'), [tarball, ...TOOLS]),
  ]);
  provide('packed', { tarball, cleanGit, alone, tools, nodes });
  return () => rm(folder, { recursive: true, force: true });
}
