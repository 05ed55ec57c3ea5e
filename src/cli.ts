#!/usr/bin/env node
/** The program. The implementation is imported dynamically, so that Node's compile cache covers it. */
import * as module from 'node:module';
import { END_SIGNALS, endAtOnce, takeSignals } from './commands/signals.ts';

process.on(
  'uncaughtException',
  (error) => void import('./commands/uncaught.ts').then(({ endOnUncaught }) => endOnUncaught(error)),
);

// The default until a command sets another code.
takeSignals(END_SIGNALS, endAtOnce);

// Whoever reads the output may have enough: `| head -1`. The command goes on, and its exit code is its own.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });

// Node 22.1 and later: later starts load compiled code.
if ('enableCompileCache' in module) (module.enableCompileCache as () => void)();
const program = process.argv[2] === 'wait' ? import('./commands/wait-program.ts') : import('./commands/program.ts');
void program.then(({ runProgram }) => runProgram(process.argv.slice(2), process.env));
