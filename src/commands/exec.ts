/**
 * `petstore-sandbox exec -- <command>`: a job's own world in one call. The command gets a fresh sandbox; what its client
 * did is judged at the end, and the sandbox goes.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import type { ControlsClient } from '../client/client.ts';
import { ClientError } from '../client/errors.ts';
import { SettingsError } from '../config.ts';
import { type CommandRun, exitCodeOf } from './connection.ts';
import { EXIT } from './exit-codes.ts';
import { complain } from './output.ts';
import { exitCodeFor, fetchReport, type ReportFlags, showVerdict, writeReport } from './report.ts';
import { END_SIGNALS, takeSignals } from './signals.ts';

export interface ExecFlags extends ReportFlags {
  readonly fixture?: string;
  readonly label?: string;
  readonly ttl?: number;
}

/** As shells have it. */
const NOT_EXECUTABLE = 126;
const NOT_FOUND = 127;
const KILLED = 128;

/** Runs the command; returns its code, or 1 where that is 0 and its client broke the contract. */
export const exec: CommandRun<ExecFlags> = async ({ client, flags, args, environment }) => {
  const signals = new Signals();
  try {
    const { label, fixture, ttl: ttlSeconds } = flags;
    const { key } = await client.ask('POST /keys', { body: { label, fixture, ttlSeconds } });
    const own = client.as(key);
    // The command is a client like any other: the operator's token is not for it.
    const { SANDBOX_ADMIN_TOKEN: _, ...rest } = environment;
    try {
      const code = await run(args, { ...rest, SANDBOX_URL: own.interfaceUrl, SANDBOX_KEY: key }, signals);
      const verdict = await judge(own, flags);
      return code === EXIT.done ? verdict : code;
    } finally {
      await end(own);
    }
  } finally {
    signals.forget();
  }
};

/** What asks this program to end is for the command to follow; the sandbox is ended after it. */
class Signals {
  #came: NodeJS.Signals | undefined;
  #pass: ((signal: NodeJS.Signals) => void) | undefined;
  readonly #take = (signal: NodeJS.Signals): void => {
    this.#came = signal;
    // A terminal sends its Ctrl-C to the command as well; a second one would make many programs break off.
    if (signal !== 'SIGINT' || !process.stdin.isTTY) this.#pass?.(signal);
  };

  /** Gives the signals back to those who handled them before. */
  readonly forget: () => void;

  constructor() {
    this.forget = takeSignals([...END_SIGNALS, 'SIGHUP'], this.#take);
  }

  /** The signal that came so far. */
  get came(): NodeJS.Signals | undefined {
    return this.#came;
  }

  passTo(pass: (signal: NodeJS.Signals) => void): void {
    this.#pass = pass;
  }
}

async function run([file = '', ...args]: readonly string[], env: NodeJS.ProcessEnv, signals: Signals): Promise<number> {
  if (signals.came) return killedBy(signals.came);
  const child = spawn(file, args, { stdio: 'inherit', env });
  signals.passTo((signal) => child.kill(signal));
  try {
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals];
    return code ?? killedBy(signal);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    complain(code === 'ENOENT' ? `there is no program ${file}` : `${file} cannot be run: ${message}`);
    return code === 'ENOENT' ? NOT_FOUND : NOT_EXECUTABLE;
  }
}

const killedBy = (signal: NodeJS.Signals): number => KILLED + constants.signals[signal];

/** Reports on what the client did, beside the command's own output; returns the exit code. */
async function judge(own: ControlsClient, { strict = false, format = 'json', out, json = false }: ReportFlags) {
  try {
    const { facts, text } = await fetchReport(own, { strict, format });
    showVerdict(facts, { json, to: process.stderr });
    if (out !== undefined) await writeReport(out, text);
    return exitCodeFor(facts);
  } catch (error) {
    if (error instanceof SettingsError) {
      complain(error.message);
      return EXIT.wrongUse;
    }
    if (!(error instanceof ClientError)) throw error;
    complain(`the contract could not be judged: ${error.message}`);
    return exitCodeOf(error);
  }
}

/** The sandbox of a server that is gone ends with its key. */
async function end(own: ControlsClient): Promise<void> {
  try {
    await own.ask('DELETE /');
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    complain(`the sandbox could not be ended: ${error.message}`);
  }
}
