/** Processor time that a process has used, by the scheduler's own account: it does not count the time of others. */
import { readdirSync, readFileSync } from 'node:fs';

/** In microseconds. */
export interface Cpu {
  /** Of the first thread, which runs JavaScript in a Node server. */
  readonly main: number;
  /** Of all threads together. */
  readonly all: number;
}

/** @returns `undefined` where there is no /proc, or the process has ended */
export function cpuOf(pid: number): Cpu | undefined {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    const used = threads.map(
      (thread) => Number(readOrEmpty(`/proc/${pid}/task/${thread}/schedstat`).split(' ')[0]) / 1000,
    );
    return { main: used[threads.indexOf(String(pid))] ?? 0, all: used.reduce((sum, each) => sum + each, 0) };
  } catch {
    return undefined;
  }
}

/** Processor time a request between two readings. */
export function cpuPerRequest(before: Cpu | undefined, after: Cpu | undefined, requests: number): Cpu | undefined {
  if (!before || !after || requests === 0) return undefined;
  return { main: (after.main - before.main) / requests, all: (after.all - before.all) / requests };
}

/** A thread may end between the listing and the reading. */
function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
