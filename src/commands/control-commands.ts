/** The commands that connect to a running server. Their names, arguments and flags are listed by group. */
import type { Command } from 'commander';
import { connectedCommands } from './connected-command.ts';
import { addFixtureCommands } from './fixture-commands.ts';
import { addRequestCommands } from './request-commands.ts';
import {
  addClockCommands,
  addFaultCommands,
  addKeyCommands,
  addSnapshotCommands,
  addStateCommands,
} from './state-commands.ts';
import { addDrill, addExec, addReport } from './verdict-commands.ts';

/** Adds all of them to the program, in the order in which the help shows them. */
export function addControlCommands(program: Command, environment: NodeJS.ProcessEnv): void {
  const on = connectedCommands(environment);
  addKeyCommands(on, program);
  addStateCommands(on, program);
  addSnapshotCommands(on, program);
  addClockCommands(on, program);
  addFaultCommands(on, program);
  addRequestCommands(on, program);
  addReport(on, program);
  addExec(on, program);
  addDrill(on, program);
  addFixtureCommands(on, program);
}
