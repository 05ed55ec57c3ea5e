/**
 * The memory limit of this process: the lowest of those of the machine, Node and all enclosing control groups. Node's
 * own value is not enough: depending on version and kernel it is 0, 2^64, or the limit of one group although an
 * enclosing group has a lower one.
 */
import { readFileSync } from 'node:fs';
import { totalmem } from 'node:os';

/** The memory limit and its source. */
export interface MemoryLimit {
  readonly bytes: number;
  readonly from: 'machine' | 'container';
}

/** The sources of limits; injected, so that every kind of machine can be tested on one. */
export interface MemorySources {
  /** `os.totalmem()`. */
  readonly total: number;
  /** `process.constrainedMemory()`. */
  readonly constrained: number | undefined;
  /** Returns the text of a file; `undefined` if it cannot be read. */
  readonly read: (path: string) => string | undefined;
}

/** The memory limit of this process. */
export const readMemoryLimit = (): MemoryLimit =>
  memoryLimit({ total: totalmem(), constrained: process.constrainedMemory?.(), read: readOrNothing });

/** The lowest limit of all sources. */
export function memoryLimit({ total, constrained = 0, read }: MemorySources): MemoryLimit {
  const limits = [constrained, ...groupLimits(read)].filter((bytes) => bytes > 0 && bytes < total);
  return limits.length === 0 ? { bytes: total, from: 'machine' } : { bytes: Math.min(...limits), from: 'container' };
}

/** A mounted hierarchy of control groups. */
interface Mount {
  readonly version: 1 | 2;
  /** The group visible at the mount point: not the root in a container without its own namespace. */
  readonly root: string;
  readonly point: string;
}

/** Files with a limit in bytes. `memory.high` throttles a process severely before `memory.max` kills it. */
const LIMIT_FILES = { 1: ['memory.limit_in_bytes'], 2: ['memory.max', 'memory.high'] } as const;

/** The limits of the process's groups and of all visible enclosing groups. */
function groupLimits(read: MemorySources['read']): number[] {
  const groups = read('/proc/self/cgroup') ?? '';
  return mountsIn(read('/proc/self/mountinfo') ?? '').flatMap((mount) =>
    foldersOf(mount, groups).flatMap((folder) =>
      LIMIT_FILES[mount.version].flatMap((file) => {
        const text = read(`${folder}/${file}`)?.trim() ?? '';
        // `max` means no limit. Version 1 reports about 2^63 instead.
        return /^\d+$/.test(text) ? [Number(text)] : [];
      }),
    ),
  );
}

/** `36 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory` (proc_pid_mountinfo(5)). */
function mountsIn(mountinfo: string): Mount[] {
  return mountinfo.split('\n').flatMap((line): Mount[] => {
    const [left = '', right = ''] = line.split(' - ');
    const [, , , root = '/', point = ''] = left.split(' ');
    const [type, , options = ''] = right.split(' ');
    if (type === 'cgroup2') return [{ version: 2, root, point }];
    return type === 'cgroup' && options.split(',').includes('memory') ? [{ version: 1, root, point }] : [];
  });
}

/** The directory of the process's group and its parents up to the mount point. */
function foldersOf({ version, root, point }: Mount, groups: string): string[] {
  const path = groupIn(groups, version) ?? '/';
  const base = root === '/' ? '' : root;
  // A group outside the mounted hierarchy shows as `/..`: only the mount point itself is visible then.
  const inside = (path === base || path.startsWith(`${base}/`)) && !path.includes('/..') ? path.slice(base.length) : '';
  const parts = inside.split('/').filter(Boolean);
  return [...parts.keys(), parts.length].map((length) => [point, ...parts.slice(0, length)].join('/'));
}

/** `4:memory:/docker/1f…` in version 1, `0::/user.slice` in version 2 (cgroups(7)). */
function groupIn(groups: string, version: 1 | 2): string | undefined {
  for (const line of groups.split('\n')) {
    const [, , controllers = '', path] = /^(\d+):([^:]*):(.*)$/.exec(line) ?? [];
    if (version === 2 ? controllers === '' : controllers.split(',').includes('memory')) if (path) return path;
  }
  return undefined;
}

function readOrNothing(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // Not Linux, or not mounted: there is no such limit.
    return undefined;
  }
}
