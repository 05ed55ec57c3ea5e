/** The memory there is, on every kind of machine, by the files that the machine has. */
import { totalmem } from 'node:os';
import { expect, it } from 'vitest';
import { memoryLimit, readMemoryLimit } from '../../src/core/memory.ts';

const MIB = 2 ** 20;
const TOTAL = 16 * 1024 * MIB;
/** What version 1 says where there is no limit. */
const NONE = '9223372036854771712\n';

const V2 = '30 23 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate';
const V1 = '35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory';
const HYBRID = `${V1}\n41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw`;

interface Machine {
  readonly constrained?: number;
  readonly cgroup?: string;
  readonly mountinfo?: string;
  readonly files?: Readonly<Record<string, string>>;
}

const limitOn = ({ constrained, cgroup, mountinfo, files = {} }: Machine) =>
  memoryLimit({
    total: TOTAL,
    constrained,
    read: (path) => ({ '/proc/self/cgroup': cgroup, '/proc/self/mountinfo': mountinfo, ...files })[path],
  });

const machines: readonly [what: string, machine: Machine, mib: number | 'all'][] = [
  ['a machine without control groups', {}, 'all'],
  ['a Node that says 0 for no limit', { constrained: 0 }, 'all'],
  ['a Node that says 2^64 for no limit', { constrained: 2 ** 64 }, 'all'],
  ['a Node that says 2^63 - 4096 for no limit', { constrained: Number(NONE) }, 'all'],
  ['a Node that knows the limit', { constrained: 200 * MIB }, 200],
  [
    'version 2 in a container with a namespace',
    { cgroup: '0::/\n', mountinfo: V2, files: { '/sys/fs/cgroup/memory.max': `${256 * MIB}\n` } },
    256,
  ],
  [
    'version 2 without a limit',
    { cgroup: '0::/user.slice\n', mountinfo: V2, files: { '/sys/fs/cgroup/user.slice/memory.max': 'max\n' } },
    'all',
  ],
  [
    'version 2 where a group around it has the lower limit',
    {
      cgroup: '0::/a.slice/b.scope\n',
      mountinfo: V2,
      files: {
        '/sys/fs/cgroup/a.slice/memory.max': `${128 * MIB}\n`,
        '/sys/fs/cgroup/a.slice/b.scope/memory.max': `${512 * MIB}\n`,
      },
    },
    128,
  ],
  [
    'version 2 that slows down before it kills',
    {
      cgroup: '0::/\n',
      mountinfo: V2,
      files: { '/sys/fs/cgroup/memory.max': `${256 * MIB}`, '/sys/fs/cgroup/memory.high': `${192 * MIB}` },
    },
    192,
  ],
  [
    'version 2 seen from outside of its own group',
    { cgroup: '0::/../../other\n', mountinfo: V2, files: { '/sys/fs/cgroup/memory.max': `${300 * MIB}` } },
    300,
  ],
  [
    'version 1 in a container without a namespace',
    {
      cgroup: '5:cpu,cpuacct:/docker/1f\n4:memory:/docker/1f\n',
      mountinfo: V1.replace(' / ', ' /docker/1f '),
      files: { '/sys/fs/cgroup/memory/memory.limit_in_bytes': `${192 * MIB}\n` },
    },
    192,
  ],
  [
    'version 1 where a group around it has the lower limit',
    {
      cgroup: '4:memory:/pods/one\n',
      mountinfo: V1,
      files: {
        '/sys/fs/cgroup/memory/memory.limit_in_bytes': NONE,
        '/sys/fs/cgroup/memory/pods/memory.limit_in_bytes': `${128 * MIB}\n`,
        '/sys/fs/cgroup/memory/pods/one/memory.limit_in_bytes': NONE,
      },
    },
    128,
  ],
  [
    'both versions, memory in version 1',
    {
      constrained: 2 ** 64,
      cgroup: '4:memory:/one\n0::/\n',
      mountinfo: HYBRID,
      files: { '/sys/fs/cgroup/memory/one/memory.limit_in_bytes': `${128 * MIB}\n` },
    },
    128,
  ],
  [
    'a limit above what the machine has',
    { cgroup: '0::/\n', mountinfo: V2, files: { '/sys/fs/cgroup/memory.max': `${64 * 1024 * MIB}\n` } },
    'all',
  ],
];

it.each(machines)('finds the limit of %s', (_what, machine, mib) => {
  expect(limitOn(machine)).toEqual(
    mib === 'all' ? { bytes: TOTAL, from: 'machine' } : { bytes: mib * MIB, from: 'container' },
  );
});

it('finds a limit on this machine', () => {
  const { bytes } = readMemoryLimit();
  expect(bytes).toBeGreaterThan(64 * MIB);
  expect(bytes).toBeLessThanOrEqual(totalmem());
});
