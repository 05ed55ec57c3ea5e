/** A folder of a recipe's user, and what runs in it. */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { limit } from '../support/slow.ts';

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Place {
  readonly folder: string;
  readonly env?: Record<string, string>;
}

/** Where Go keeps what it compiled: its own library takes ten seconds. */
const GOCACHE = process.env['GOCACHE'] ?? join(homedir(), '.cache/go-build');

/** Runs a program to its end, with nothing of this environment but the PATH. */
export function run(file: string, args: readonly string[], { folder, env = {} }: Place): Promise<Ran> {
  const options = {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder, GOCACHE, ...env },
    timeout: limit(110_000),
  };
  return new Promise((done, failed) => {
    execFile(file, args, options, (error, stdout, stderr) => {
      if (error && typeof error.code !== 'number') failed(error);
      else done({ code: Number(error?.code ?? 0), stdout, stderr });
    });
  });
}

/** Lines in a shell as CI systems start it. */
export const runLines = (lines: string, location: Place): Promise<Ran> =>
  run('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', lines], location);

/** The project of a client whose `npm test` asks for this path with its key, and which fails where nothing is there. */
export async function writeProject(folder: string, { path, body }: { path: string; body?: unknown }): Promise<void> {
  const script = `const { SANDBOX_URL, SANDBOX_KEY, PETSTORE_URL = SANDBOX_URL, PETSTORE_KEY = SANDBOX_KEY } = process.env;
const headers = { Authorization: 'Bearer ' + PETSTORE_KEY, 'Content-Type': 'application/json' };
const body = ${JSON.stringify(body === undefined ? undefined : JSON.stringify(body))};
const { status } = await fetch(PETSTORE_URL + ${JSON.stringify(path)}, { method: body ? 'POST' : 'GET', headers, body });
console.log('answered', status);
if (status === 404) process.exitCode = 1;
`;
  const project = { name: 'client', version: '1.0.0', scripts: { test: 'node test.mjs' } };
  await Promise.all([
    writeFile(join(folder, 'package.json'), JSON.stringify(project)),
    writeFile(
      join(folder, 'package-lock.json'),
      JSON.stringify({
        ...project,
        scripts: undefined,
        lockfileVersion: 3,
        packages: { '': { name: 'client', version: '1.0.0' } },
      }),
    ),
    writeFile(join(folder, 'test.mjs'), script),
  ]);
}

/** Debian's pytest belongs to Debian's Python. */
export const PYTEST = ['/usr/bin/python3', '-m', 'pytest', '-p', 'no:cacheprovider'] as const;

const JARS = ['junit-jupiter-api', 'junit-jupiter-engine', 'junit-platform-commons', 'junit-platform-engine']
  .concat('junit-platform-launcher', 'junit-platform-console', 'junit-platform-reporting', 'opentest4j', 'picocli')
  .concat('apiguardian-api', 'opentest4j-reporting-events', 'opentest4j-reporting-schema')
  .map((name) => `/usr/share/java/${name}.jar`)
  .join(':');

/** Compiles the Java files of a folder, and runs the tests in them. */
export const junit = (folder = '.') => {
  const java = `java -cp .:${JARS} org.junit.platform.console.ConsoleLauncher --disable-banner --scan-classpath .`;
  return ['sh', '-c', `cd ${folder} && javac -cp ${JARS} *.java && exec ${java}`] as const;
};
