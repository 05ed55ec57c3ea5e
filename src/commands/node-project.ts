/** A project of Node around `init`: its package manager, its test script and its runner. */
import { existsSync } from 'node:fs';
import { version } from '../core/shipped.ts';
import { SettingsError } from '../settings/settings.ts';
import { firstOf, type RunnerName, textOf } from './project-files.ts';

/** What a job depends on in a package.json. */
export interface Manifest {
  readonly packageManager?: string;
  readonly devEngines?: { readonly packageManager?: { readonly name?: string; readonly version?: string } };
  readonly scripts?: { readonly test?: string };
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** That of this folder. @throws {SettingsError} for a damaged one */
export function packageJson(): Manifest | undefined {
  if (!existsSync('package.json')) return undefined;
  try {
    return { ...JSON.parse(textOf('package.json').replace(/^\ufeff/, '')) };
  } catch (cause) {
    throw new SettingsError(`package.json cannot be read: ${(cause as Error).message}`, { cause });
  }
}

/** The names of the packages that it depends on. */
export const dependenciesOf = ({ dependencies, devDependencies }: Manifest = {}): readonly string[] =>
  Object.keys({ ...dependencies, ...devDependencies });

/** The runners of Node, by their package and by the word for them in a script. */
const NODE_RUNNERS: readonly {
  readonly name: RunnerName;
  readonly package?: string;
  readonly inScript: RegExp;
  readonly args: string;
}[] = [
  { name: 'vitest', package: 'vitest', inScript: /\bvitest\b/, args: 'vitest run' },
  { name: 'jest', package: 'jest', inScript: /\bjest\b|\breact-scripts test\b/, args: 'jest' },
  { name: 'playwright', package: '@playwright/test', inScript: /\bplaywright test\b/, args: 'playwright test' },
  { name: 'node', inScript: /\bnode\b.* --test\b/, args: 'node --test' },
];

/** What `npm init` writes is no test. */
const testScript = ({ scripts }: Manifest): string | undefined =>
  scripts?.test && !/no test specified/.test(scripts.test) ? scripts.test : undefined;

/** Whether its tests run on Node: many projects in other languages have a package.json for their tools. */
export const isNodeProject = (manifest: Manifest | undefined): boolean =>
  manifest !== undefined &&
  (testScript(manifest) !== undefined ||
    NODE_RUNNERS.some((each) => each.package && dependenciesOf(manifest).includes(each.package)));

/** A package manager: how it installs what is locked, and runs the programs of packages and the test script. */
export interface NodeTools {
  readonly install: readonly string[];
  readonly run: (program: string) => string;
  readonly test: string;
  readonly add: string;
}

const npx = (program: string): string => `npx ${program}`;

/** As in a project that has locked nothing. */
export const NPM: NodeTools = { install: ['npm install'], run: npx, test: 'npm test', add: 'npm install --save-dev' };

/** The package manager that it names, else that of the lock file. */
export function nodeTools({ packageManager = '', devEngines }: Manifest): NodeTools {
  const named = /^(npm|pnpm|yarn|bun)@(\d[^+]*)/.exec(packageManager);
  const name = named?.[1] ?? devEngines?.packageManager?.name ?? lockedBy();
  const lock = name === 'yarn' ? 'yarn.lock' : firstOf(...Object.keys(LOCKS).filter((file) => LOCKS[file] === name));
  const wanted = named?.[2];
  if (name === 'pnpm') {
    const installed = wanted ?? PNPM[/^lockfileVersion: '?(\d)/m.exec(textOf('pnpm-lock.yaml'))?.[1] ?? ''] ?? '10';
    const install = `pnpm install --${lock ? '' : 'no-'}frozen-lockfile`;
    return {
      install: [`npm install --global pnpm@${installed}`, install],
      run: npx,
      test: 'pnpm test',
      add: 'pnpm add --save-dev',
    };
  }
  if (name === 'bun') {
    const install = lock ? 'bun install --frozen-lockfile' : 'bun install';
    return {
      install: [`npm install --global bun@${wanted ?? '1'}`, install],
      run: npx,
      test: 'bun run test',
      add: 'bun add --dev',
    };
  }
  if (name === 'yarn') return yarnTools(wanted, lock !== undefined);
  return lock ? { ...NPM, install: ['npm ci'] } : NPM;
}

function yarnTools(wanted: string | undefined, isLocked: boolean): NodeTools {
  const isClassic = wanted
    ? wanted.startsWith('1.')
    : !existsSync('.yarnrc.yml') && !/^__metadata:/m.test(textOf('yarn.lock'));
  // Yarn 1 takes a `--` for its own, and the image and the runner have it.
  if (isClassic)
    return {
      install: [`yarn install${isLocked ? ' --frozen-lockfile' : ''}`],
      run: npx,
      test: 'yarn test',
      add: 'yarn add --dev',
    };
  const pinned = wanted !== undefined || /^yarnPath:/m.test(textOf('.yarnrc.yml'));
  const install = ['corepack enable', ...(pinned ? [] : ['corepack install --global yarn@4'])];
  return {
    install: [...install, `yarn install${isLocked ? ' --immutable' : ''}`],
    // With Plug'n'Play there is no node_modules for npx.
    run: (program) => `yarn ${program}`,
    ...{ test: 'yarn test', add: 'yarn add --dev' },
  };
}

/** The version of pnpm that reads a version of its lock file. */
const PNPM: Readonly<Record<string, string>> = { 5: '7', 6: '8', 9: '10' };

const LOCKS: Readonly<Record<string, string>> = {
  'pnpm-lock.yaml': 'pnpm',
  'bun.lock': 'bun',
  'bun.lockb': 'bun',
  'yarn.lock': 'yarn',
  'package-lock.json': 'npm',
  'npm-shrinkwrap.json': 'npm',
};

const lockedBy = (): string => LOCKS[firstOf(...Object.keys(LOCKS)) ?? ''] ?? 'npm';

/** The file that `npm run package` makes, where the project keeps it: Go takes `vendor` for its own. */
export const TARBALL = `./tools/petstore-sandbox-${version}.tgz`;

/** The line that adds it. */
export const addedBy = ({ add }: NodeTools): string => `${add} ${TARBALL}`;

/** The job of a project of Node, and its runner: that of the test script, which also decides what the job runs. */
export function nodeJob(manifest: Manifest, tools: NodeTools, wanted: RunnerName | undefined) {
  const script = testScript(manifest);
  const named = script === undefined ? undefined : NODE_RUNNERS.find(({ inScript }) => inScript.test(script));
  const installed = NODE_RUNNERS.find((each) => each.package && dependenciesOf(manifest).includes(each.package));
  const row = wanted
    ? NODE_RUNNERS.find(({ name }) => name === wanted)
    : (named ?? (script === undefined ? (installed ?? NODE_RUNNERS.at(-1)) : undefined));
  const isScript = script !== undefined && (wanted === undefined || named?.name === wanted);
  const own = row?.name === 'node' ? row.args : tools.run(row?.args ?? '');
  const browsers = row?.name === 'playwright' ? [tools.run('playwright install --with-deps')] : [];
  return {
    ...{ runner: row?.name, image: 'node:24' },
    install: [...tools.install, ...browsers],
    test: isScript ? tools.test : own,
  };
}
