/** How signals stop a program that serves. */
import { Worker } from 'node:worker_threads';
import type { Log } from '../log.ts';
import type { RunningServer } from '../server.ts';
import { END_SIGNALS, endAtOnce, takeSignals } from './signals.ts';

/** The promise of the README. The server's own bound is a little shorter, see `ending.ts`. */
const KILL_MS = 5_000;

/** The first signal lets everything end in order; a second one ends it at once. */
export function stopOnSignals(server: RunningServer, log: Log & { info(message: string): void }): void {
  let stopping = false;
  takeSignals(END_SIGNALS, (signal) => {
    if (stopping) {
      if (isDiskBusy()) endAtOnce(signal);
      process.exit(1);
    }
    stopping = true;
    killLater();
    log.info(`stopping on ${signal}`);
    server.close().then(
      () => exit(0),
      (err) => {
        log.error({ err }, 'stopped, but not in order');
        exit(1);
      },
    );
  });
}

/** Exits once nothing is being read or written: `process.exit()` would wait for that, and nobody could end it then. */
function exit(code: number): void {
  if (isDiskBusy()) setTimeout(exit, 10, code);
  else process.exit(code);
}

const isDiskBusy = (): boolean => process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq'));

/** Kills this process when it has not ended in time. A thread of its own does: a disk that hangs may hold the main one. */
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
