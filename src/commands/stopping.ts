/** Stops a serving program on signals. */
import { Worker } from 'node:worker_threads';
import type { Log } from '../core/log.ts';
import type { RunningServer } from '../server/server.ts';
import { END_SIGNALS, endAtOnce, takeSignals } from './signals.ts';

/** Promised in docs/settings.md. The server's own limit is a little shorter, see `core/shutdown.ts`. */
const KILL_MS = 5_000;

/** The first signal shuts down in order; a second one exits immediately. */
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

/** Exits once no disk operation is pending: `process.exit()` would block on it, and could not be interrupted. */
function exit(code: number): void {
  if (isDiskBusy()) setTimeout(exit, 10, code);
  else process.exit(code);
}

const isDiskBusy = (): boolean => process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq'));

/** Kills this process if it has not ended in time, from a separate thread: a hanging disk may block the main thread. */
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
