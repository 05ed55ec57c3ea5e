/** The careful client of the examples gets no false failure: all drills, twice at once, beside three busy loops. */
import { spawn } from 'node:child_process';
import { expect, it, onTestFinished } from 'vitest';
import { runProgram } from '../support/program.ts';
import { limit } from '../support/slow.ts';

/** It ends with its parent, whatever ends that. */
const LOOP = 'const parent = process.ppid; while (process.ppid === parent);';

it('passes every check of every drill, whatever else the machine does', { timeout: limit(3_600_000) }, async () => {
  for (let loop = 0; loop < 3; loop++) {
    const busy = spawn(process.execPath, ['-e', LOOP], { stdio: 'ignore' });
    onTestFinished(() => void busy.kill('SIGKILL'));
  }
  const args = [
    'drill',
    '--start',
    '--strict',
    '--parallel',
    '6',
    '--',
    process.execPath,
    'examples/drills/careful.mjs',
  ];
  const runs = await Promise.all([runProgram(args), runProgram(args)]);
  expect(runs.filter(({ code }) => code !== 0)).toEqual([]);
});
