#!/usr/bin/env node
/** The program. The implementation is imported dynamically, so that Node's compile cache covers it. */
import { mkdirSync, writeSync } from 'node:fs';
import * as module from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { END_SIGNALS, endAtOnce, takeSignals } from './cli/signals.ts';

process.on(
  'uncaughtException',
  (error) => void import('./cli/uncaught.ts').then(({ endOnUncaught }) => endOnUncaught(error)),
);

// The default until a command sets another code.
takeSignals(END_SIGNALS, endAtOnce);

// A reader may close the pipe early, as `| head -1` does. The command continues, and keeps its own exit code.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    // A full disk, for example.
    if (stream === process.stdout) writeSync(2, `petstore-sandbox: the output cannot be written: ${error.message}\n`);
    process.exit(1);
  });

// Node 22.1 and later: later starts load compiled code.
if ('enableCompileCache' in module && hasCacheFolder()) (module.enableCompileCache as () => void)();
const program = process.argv[2] === 'wait' ? import('./cli/wait-program.ts') : import('./cli/program.ts');
void program.then(({ runProgram }) => runProgram(process.argv.slice(2), process.env));

/** Whether Node's folder for compiled code exists. Where none can be made, as below /proc, Node may try again for ever. */
function hasCacheFolder(): boolean {
  try {
    mkdirSync(join(tmpdir(), 'node-compile-cache'));
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EEXIST';
  }
}
