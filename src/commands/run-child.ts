/** Runs a command as a child process: returns its exit code and forwards signals to it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { complain } from './problems.ts';
import { END_SIGNALS, takeSignals } from './signals.ts';

/** As in shells. */
const NOT_EXECUTABLE = 126;
const NOT_FOUND = 127;
const KILLED = 128;

/** Forwards termination signals to the command; this program ends after it. */
export class Signals {
  #came: NodeJS.Signals | undefined;
  #pass: ((signal: NodeJS.Signals) => void) | undefined;
  readonly #take = (signal: NodeJS.Signals): void => {
    this.#came = signal;
    // A terminal sends its Ctrl-C to the command as well; a second one would abort many programs.
    if (signal !== 'SIGINT' || !process.stdin.isTTY) this.#pass?.(signal);
  };

  /** Restores the previous signal handlers. */
  readonly forget: () => void;

  constructor() {
    this.forget = takeSignals([...END_SIGNALS, 'SIGHUP'], this.#take);
  }

  /** The latest signal. */
  get came(): NodeJS.Signals | undefined {
    return this.#came;
  }

  passTo(pass: (signal: NodeJS.Signals) => void): void {
    this.#pass = pass;
  }
}

/**
 * Runs a command to its end, with our standard streams; returns its exit code, or the one that a shell would return.
 */
export async function runChild(
  [file = '', ...args]: readonly string[],
  env: NodeJS.ProcessEnv,
  signals: Signals,
): Promise<number> {
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
