/** One validator thread for all servers of a test process: each would spend half a second on starting Prism. */
import { EventEmitter } from 'node:events';
import { startWorker, type ValidatorWorker } from '../../src/verdict/validator/worker-thread.ts';

/** A thread that answers all inputs in their order, and to whom it owes answers. */
interface Shared {
  readonly worker: ReturnType<typeof startWorker>;
  readonly users: Set<EventEmitter>;
  readonly waiting: EventEmitter[];
  isReady: boolean;
}

/** Starts a thread at the first call, and after one that ended. It does not keep the process alive. @param file of its code */
export function shareWorker(file: URL): () => ValidatorWorker {
  let shared: Shared | undefined;
  return () => {
    shared ??= share(file, () => {
      shared = undefined;
    });
    return userOf(shared);
  };
}

function share(file: URL, onExit: () => void): Shared {
  const worker = startWorker(file);
  worker.unref();
  const all: Shared = { worker, users: new Set(), waiting: [], isReady: false };
  worker.on('message', (message) => {
    if (all.isReady) all.waiting.shift()?.emit('message', message);
    else for (const user of all.users) user.emit('message', message);
    all.isReady = true;
  });
  worker.on('error', (error) => {
    for (const user of all.users) user.emit('error', error);
  });
  worker.on('exit', (code) => {
    onExit();
    for (const user of all.users) user.emit('exit', code);
  });
  return all;
}

function userOf({ worker, users, waiting, isReady }: Shared): ValidatorWorker {
  const events = new EventEmitter();
  users.add(events);
  if (isReady) setImmediate(() => events.emit('message', 'ready'));
  return Object.assign(events, {
    postMessage: (inputs: readonly string[]) => {
      waiting.push(events);
      worker.postMessage(inputs);
    },
    terminate: () => worker.terminate(),
    release: async () => void users.delete(events),
  });
}
