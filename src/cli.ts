#!/usr/bin/env node
/** The program. What it runs is imported late, so that Node's compile cache serves that import too. */
import * as module from 'node:module';
import { END_SIGNALS, endAtOnce, takeSignals } from './commands/signals.ts';

// Until a command has a better answer.
takeSignals(END_SIGNALS, endAtOnce);

// From Node 22.1 on: the second start reads compiled code.
if ('enableCompileCache' in module) (module.enableCompileCache as () => void)();
const { runProgram } = await import('./commands/program.ts');
await runProgram(process.argv.slice(2), process.env);
