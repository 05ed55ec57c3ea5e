/**
 * Careful clients get no false failure: all drills, twice at once, beside three busy loops.
 * `DRILL_RUNS=4 npm run test:hostile -- drills` is more often.
 */
import { spawn } from 'node:child_process';
import { expect, it, onTestFinished } from 'vitest';
import { runProgram } from '../support/program.ts';
import { limit } from '../support/slow.ts';

const RUNS = Number(process.env['DRILL_RUNS'] ?? 2);
const BUSY_LOOPS = 3;
/** It ends with its parent, whatever ends that. */
const LOOP = 'const parent = process.ppid; while (process.ppid === parent);';

const CLIENTS = [
  [process.execPath, 'examples/drills/careful.mjs'],
  [process.execPath, 'test/hostile/full-jitter.mjs'],
  ['python3', 'test/hostile/excellent.py'],
];

it.each(CLIENTS)(
  'the client %s %s passes every check of every drill, whatever else the machine does',
  async (...client) => {
    for (let i = 0; i < BUSY_LOOPS; i++) {
      const loop = spawn(process.execPath, ['-e', LOOP], { stdio: 'ignore' });
      onTestFinished(() => void loop.kill('SIGKILL'));
    }
    const args = ['drill', '--start', '--strict', '--parallel', '6', '--', ...client];
    const runs = await Promise.all(Array.from({ length: RUNS }, () => runProgram(args)));
    expect(runs.filter(({ code }) => code !== 0)).toEqual([]);
  },
  limit(3_600_000),
);
