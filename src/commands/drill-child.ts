/** Runs the client under test once for a drill, and keeps the end of what it prints. */
import { spawn } from 'node:child_process';
import type { DrillOutcome, DrillTask } from '../client/run-drill.ts';
import { SettingsError } from '../server/settings.ts';

/** Characters that are kept of what the client prints. */
const KEPT = 4000;
/** Between the request to end and the end, in milliseconds. */
const PATIENCE_MS = 2000;
/** From this code on a shell says that a signal ended the program. */
const BY_SIGNAL = 128;

export interface ChildRun extends DrillOutcome {
  /** The end of what it printed. */
  readonly printed: string;
}

/** What the client is told, by variable. */
const variablesOf = (task: DrillTask): NodeJS.ProcessEnv => ({
  SANDBOX_URL: task.url,
  SANDBOX_KEY: task.key,
  SANDBOX_DRILL: task.drill,
  SANDBOX_TASK: task.task,
  SANDBOX_TIMES: String(task.times),
  ...(task.petName !== null && { SANDBOX_PET_NAME: task.petName }),
  ...(task.petId !== null && { SANDBOX_PET_ID: task.petId }),
  ...(task.secondKey !== null && { SANDBOX_SECOND_KEY: task.secondKey }),
});

/**
 * @param signal aborted when this program has to end
 * @throws {SettingsError} where the command cannot be run
 */
export async function runDrillChild(
  [file = '', ...args]: readonly string[],
  task: DrillTask,
  { environment, timeoutMs, signal }: { environment: NodeJS.ProcessEnv; timeoutMs: number; signal: AbortSignal },
): Promise<ChildRun> {
  const child = spawn(file, args, { env: { ...environment, ...variablesOf(task) }, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  const keep = (text: Buffer): void => {
    printed = (printed + text.toString()).slice(-KEPT);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  let isOver = false;
  let patience: NodeJS.Timeout | undefined;
  const stop = (): void => {
    isOver = true;
    child.kill('SIGTERM');
    patience = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
  };
  const limit = setTimeout(stop, timeoutMs);
  signal.addEventListener('abort', stop);
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      // Its pipes may stay open in what it started.
      child.once('exit', (exitCode) => setImmediate(resolve, exitCode));
    });
    const crashed = isOver || code === null || code >= BY_SIGNAL;
    return { success: code === 0 && !isOver, crashed, printed };
  } catch (cause) {
    throw new SettingsError(`${file} cannot be run: ${(cause as Error).message}`, { cause });
  } finally {
    clearTimeout(limit);
    clearTimeout(patience);
    signal.removeEventListener('abort', stop);
    child.stdout.destroy();
    child.stderr.destroy();
  }
}
