/** How signals stop a program that serves. */
import { Worker } from 'node:worker_threads';
import type { Log } from '../log.ts';
import type { RunningServer } from '../server.ts';
import { END_SIGNALS, takeSignals } from './signals.ts';

/** The promise of the README. The server's own bound is a little shorter, see `ending.ts`. */
const KILL_MS = 5_000;

/** The first signal lets everything end in order; a second one ends it at once. */
export function stopOnSignals(server: RunningServer, log: Log & { info(message: string): void }): void {
  let stopping = false;
  takeSignals(END_SIGNALS, (signal) => {
    if (stopping) process.exit(1);
    stopping = true;
    killLater();
    log.info(`stopping on ${signal}`);
    server.close().then(
      () => process.exit(),
      (err) => {
        log.error({ err }, 'stopped, but not in order');
        process.exit(1);
      },
    );
  });
}

/**
 * Kills this process when it has not ended in time. A thread of its own does, because a disk that hangs holds up the main
 * thread, or `process.exit()`, which waits for every read and write that is under way.
 */
function killLater(): void {
  const kill = `
    const { workerData } = require('node:worker_threads');
    setTimeout(() => {
      require('node:fs').writeSync(2, workerData.message);
      process.kill(process.pid, 'SIGKILL');
    }, workerData.ms);
  `;
  const message = `petstore-sandbox: it did not end within ${KILL_MS} ms, and is killed\n`;
  new Worker(kill, { eval: true, workerData: { ms: KILL_MS, message }, execArgv: [], env: {} }).unref();
}
