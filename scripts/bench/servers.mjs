// Servers under measurement, as processes: how long each takes to its first 200, its memory and processor time, its end.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 5_000;

/** What goes with this process, however it ends. */
const directories = new Set();
const running = new Set();
process.on('exit', () => {
  for (const child of running) endGroup(child, 'SIGKILL');
  for (const each of directories) rmSync(each, { recursive: true, force: true, maxRetries: 5 });
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1));

export function temporaryDirectory() {
  const directory = mkdtempSync(path.join(tmpdir(), 'petstore-bench-'));
  directories.add(directory);
  return directory;
}

/** A port that was free a moment ago: not every server can be told to take any. */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

/**
 * Starts a server and waits for its first 200.
 * @param {readonly string[]} command @param {{ url: string, headers?: Record<string, string> }} first the request for it
 * @throws {Error} when it ends before, or takes over a minute
 */
export async function startServer([file, ...args], { url, headers = {} }) {
  const from = performance.now();
  // What was set for this process must not tune a server. A group of its own: its children end with it.
  const { PATH, HOME } = process.env;
  const child = spawn(file, args, { env: { PATH, HOME }, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  running.add(child);
  let output = '';
  const garbage = garbageIn(child.stdout);
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => {
      output = `${output}${text}`.slice(-2_000);
    });
  }
  let ended;
  child.once('error', (error) => {
    ended = error.message;
  });
  child.once('exit', (code, signal) => {
    ended = `ended with ${signal ?? code}`;
    running.delete(child);
  });
  while ((await statusOf(url, headers)) !== 200) {
    const isLate = performance.now() - from > START_TIMEOUT_MS;
    if (ended === undefined && !isLate) {
      await sleep(1);
      continue;
    }
    endGroup(child, 'SIGKILL');
    throw new Error(`${ended ?? 'no 200 within a minute'}: ${output.trim().slice(-400)}`);
  }
  const startMs = performance.now() - from;
  return {
    startMs,
    memory: () => memoryOf(child.pid),
    cpu: () => cpuOf(child.pid),
    garbage,
    stop: async () => {
      if (ended !== undefined) return;
      const exit = once(child, 'exit');
      endGroup(child, 'SIGTERM');
      const hard = setTimeout(() => endGroup(child, 'SIGKILL'), STOP_TIMEOUT_MS);
      await exit;
      clearTimeout(hard);
    },
  };
}

/**
 * What the main thread of a process with `--trace-gc-nvp` has allocated so far, and what of it outlived the young generation.
 * @returns {() => { allocated: number, promoted: number }} in bytes, up to its last collection
 */
function garbageIn(stdout) {
  let [main, allocated, promoted] = [undefined, 0, 0];
  createInterface(stdout).on('line', (line) => {
    const found = /^\[(\S+)\].* allocated=(\d+) promoted=(\d+)/.exec(line);
    if (!found) return;
    // The main thread is the first that collects.
    main ??= found[1];
    if (found[1] !== main) return;
    allocated += Number(found[2]);
    promoted += Number(found[3]);
  });
  return () => ({ allocated, promoted });
}

const statusOf = (url, headers) =>
  new Promise((done) => {
    get(url, { headers, agent: false }, (response) => {
      response.resume();
      done(response.statusCode);
    }).once('error', () => done(undefined));
  });

function endGroup({ pid }, signal) {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

/** In MiB: now, and at most. */
function memoryOf(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const mib = (field) => Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1]) / 1024;
  return { now: mib('VmRSS'), peak: mib('VmHWM') };
}

/** Processor time in microseconds, by the scheduler's own account: of the first thread, and of all threads. */
function cpuOf(pid) {
  const threads = readdirSync(`/proc/${pid}/task`);
  const used = threads.map(
    (thread) => Number(readOrEmpty(`/proc/${pid}/task/${thread}/schedstat`).split(' ')[0]) / 1000,
  );
  return { main: used[threads.indexOf(String(pid))], all: used.reduce((sum, each) => sum + each, 0) };
}

/** A thread may end between the listing and the reading. */
function readOrEmpty(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
