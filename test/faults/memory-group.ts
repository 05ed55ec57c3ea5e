/** The program with little memory: in a control group of its own, as in a container. Needs root, and Linux. */
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished, type TestContext } from 'vitest';
import { newFolder } from '../support/folder.ts';
import { Program } from '../support/program.ts';

/** The key of every program. */
export const KEY = 'memory-test-key-0123456789';

const MIB = 2 ** 20;
const MOUNT = '/sys/fs/cgroup';
/** As the Dockerfile has them. */
const ENVIRONMENT = {
  NODE_OPTIONS: '--max-semi-space-size=16',
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
};

/** Prints a figure of a test. */
export const say = (text: string): void => void process.stdout.write(`memory: ${text}\n`);

/** The files of a group in both versions: the limit, that of swap, and where the memory of processes is told. */
const FILES = {
  1: { limit: 'memory.limit_in_bytes', swap: 'memory.memsw.limit_in_bytes', used: /^rss (\d+)$/m },
  2: { limit: 'memory.max', swap: 'memory.swap.max', used: /^anon (\d+)$/m },
} as const;

export interface MemoryGroup {
  /** Starts the program on the group's data, and waits until it listens. @throws {Error} when it ends before */
  start(): Promise<Program & { readonly url: string }>;
  /** The most memory that its processes took since this was asked for last, in MiB; files' cache is not counted. */
  peak(): number;
}

/** A group with this much memory, no swap, and data of its own; skips the test, saying why, where none can be made. */
export async function memoryGroup(mib: number, { skip }: TestContext): Promise<MemoryGroup> {
  const version = existsSync(`${MOUNT}/cgroup.controllers`) ? 2 : 1;
  const files = FILES[version];
  const folder = `${version === 2 ? MOUNT : `${MOUNT}/memory`}/petstore-sandbox-${process.pid}-${mib}-${Math.random().toString(36).slice(2)}`;
  try {
    mkdirSync(folder);
    writeFileSync(`${folder}/${files.limit}`, String(mib * MIB));
  } catch (error) {
    skip(`no control group with a memory limit can be made here: ${(error as Error).message}`);
  }
  if (existsSync(`${folder}/${files.swap}`))
    writeFileSync(`${folder}/${files.swap}`, String(version === 2 ? 0 : mib * MIB));
  let peak = 0;
  const look = setInterval(() => {
    peak = Math.max(peak, Number(files.used.exec(readFileSync(`${folder}/memory.stat`, 'utf8'))?.[1] ?? 0));
  }, 10);
  onTestFinished(async () => {
    clearInterval(look);
    await removeGroup(folder);
  });
  const data = await newFolder();
  return {
    start: () => start(folder, data),
    peak: () => {
      const before = Math.round(peak / MIB);
      peak = 0;
      return before;
    },
  };
}

async function start(folder: string, data: string): Promise<Program & { readonly url: string }> {
  const program = new Program(['--port', '0', '--log-format', 'json', '--data', data], {
    env: { PATH: process.env['PATH'], ...ENVIRONMENT, SANDBOX_API_KEYS: KEY },
    via: ['sh', '-c', `echo $$ > ${folder}/cgroup.procs && exec "$0" "$@"`],
  });
  onTestFinished(() => program.kill());
  const [, url = ''] = await program.wrote(/"url":"([^"]+)".*"msg":"listening"/);
  return Object.assign(program, { url });
}

/** Its processes may take a moment to be gone. */
async function removeGroup(folder: string): Promise<void> {
  for (let tries = 0; existsSync(folder) && tries < 100; tries++) {
    try {
      rmdirSync(folder);
    } catch {
      await sleep(50);
    }
  }
}
