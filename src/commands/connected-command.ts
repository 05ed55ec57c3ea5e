/** Adds a command that connects to a running server. Its implementation is imported only when it is called. */
import type { Command } from 'commander';
import type { As, CommandRun, ConnectionFlags } from './connection.ts';

/** Connects a command to its server. */
type Connect = typeof import('./connection.ts').runConnected;

/** Adds a command with the common flags to the program, or to a group of commands. */
export type AddCommand = (
  parent: Command,
  name: string,
  description: string,
  load: () => Promise<CommandRun<never>>,
  as?: As,
  connect?: Connect,
) => Command;

const runConnectedLater: Connect = async (run, call) => (await import('./connection.ts')).runConnected(run, call);

/** With `--start`, connects the command to a server of its own. */
export const runOnOwnServer: Connect = async (run, call) => {
  if ((call.flags as { start?: boolean }).start !== true) return runConnectedLater(run, call);
  return (await import('./own-server.ts')).runWithOwnServer(run as CommandRun<object>, call);
};

/** The function that adds commands to a program with these environment variables. */
export const connectedCommands =
  (environment: NodeJS.ProcessEnv): AddCommand =>
  (parent, name, description, load, as = 'sandbox', connect = runConnectedLater) =>
    parent
      .command(name)
      .description(description)
      .option(
        '--url <url>',
        "the API's base address (env: SANDBOX_URL; default: this machine, port SANDBOX_PORT or 4020)",
      )
      .option('--cacert <file>', 'file with a certificate to trust, in PEM (env: SANDBOX_CACERT)')
      .option('--key <key>', "the sandbox's key (env: SANDBOX_KEY)")
      .option('--admin-token <token>', "the operator's token (env: SANDBOX_ADMIN_TOKEN)")
      .option('--sandbox <id>', 'with the admin token: the sandbox to act on')
      .option('--json', 'print JSON, for programs')
      .action(async (...all: unknown[]) => {
        const command = all.at(-1) as Command;
        const flags = command.opts<ConnectionFlags>();
        const run = (await load()) as CommandRun<object>;
        process.exitCode = await connect(run, { flags, args: command.args, environment, as });
      });

/** A new sandbox has its own key: a given one would have no effect. */
export function rejectKey(command: Command): void {
  if (command.opts()['key'] !== undefined) command.error('error: --key has no effect here: a new key is made');
}
