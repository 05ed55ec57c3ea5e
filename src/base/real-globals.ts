/**
 * The timers and other globals of Node itself, taken once. A test runner that shares the process may replace the global
 * ones at any time, and before this module is loaded too: fake timers stand still until the test moves them, and a DOM
 * environment has an `AbortSignal` that Node rejects. So nothing here comes from a place that they replace. Other modules
 * import from here (lint forbids the globals), and `scripts/bundle.mjs` makes the bundled packages do the same.
 */
import { statSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import * as timers from 'node:timers';
import { scheduler } from 'node:timers/promises';
import { runInThisContext } from 'node:vm';

/** Jest runs tests in a context of its own. This is the global object of the one around it. */
const main = runInThisContext('globalThis') as typeof globalThis;

type TimerClass = new (
  work: () => void,
  ms: number | undefined,
  args: readonly unknown[],
  repeats: boolean,
  isReferenced: boolean,
) => NodeJS.Timeout;

/** What `timerClass` found, where something is fake. */
let Timer: TimerClass | undefined;

/** Node's class of timers: no fake timers replace the one that a socket has for its timeout. Bun and Deno have none. */
function timerClass(): TimerClass | undefined {
  const { Socket } = main.process.getBuiltinModule('node:net');
  const socket = new Socket().setTimeout(1);
  const fields = Object.getOwnPropertySymbols(socket).map((name) => Reflect.get(socket, name) as unknown);
  socket.destroy();
  const timer = fields.find((field) => typeof field === 'object' && field !== null && '_onTimeout' in field);
  return timer?.constructor as TimerClass | undefined;
}

/** Whether a function of `node:timers` is fake. Sinon and `node:test` replace those too; what theirs return lacks `field`. */
function isFake<T extends object>(
  start: (work: () => void, ms: number) => T,
  end: (timer: T) => void,
  field: '_onTimeout' | '_onImmediate',
): boolean {
  const timer = start(() => undefined, 1);
  if (field in timer) {
    // A fake `end` would warn of a real timer.
    (timer as { close?(): unknown }).close?.();
    return false;
  }
  end(timer);
  Timer ??= timerClass();
  return Timer !== undefined;
}

const startTimer =
  (repeats: boolean) =>
  (work: () => void, ms?: number, ...args: unknown[]): NodeJS.Timeout =>
    new (Timer as TimerClass)(work, ms, args, repeats, true).refresh();

export const setTimeout = (
  isFake(timers.setTimeout, timers.clearTimeout, '_onTimeout') ? startTimer(false) : timers.setTimeout
) as typeof timers.setTimeout;

export const setInterval = (
  isFake(timers.setInterval, timers.clearInterval, '_onTimeout') ? startTimer(true) : timers.setInterval
) as typeof timers.setInterval;

/** Not that of `node:timers`: a fake one ends no real timer. */
export const clearTimeout = (timer: { close?(): unknown } | null | undefined): void => void timer?.close?.();
export const clearInterval = clearTimeout;

export const { nextTick } = main.process;

/** An error of `work` is a rejection that nobody handles, which ends the process as well. */
export const queueMicrotask = (work: () => void): void => void Promise.resolve().then(work);

/** It cannot be canceled. */
export const setImmediate = (
  isFake(timers.setImmediate, timers.clearImmediate, '_onImmediate')
    ? (work: () => void, ...args: []) => void scheduler.yield().then(() => nextTick(work, ...args))
    : timers.setImmediate
) as <Args extends unknown[]>(work: (...args: Args) => void, ...args: Args) => unknown;

/** Resolves in the next turn of the event loop. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** Resolves after this time; rejects with the reason of `signal` if that is aborted first. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}

/** Made by Node, which keeps the class of the times of files to itself. */
export const RealDate = statSync(process.execPath).mtime.constructor as DateConstructor;

/** Milliseconds since the process began. The method of the class: fakes replace that of the object (Bun has no other). */
export const monotonicNow: () => number = (Object.getPrototypeOf(performance).now ?? performance.now).bind(performance);

// Imported by name, all that `node:util` has would be loaded, among it classes that take 4 ms.
const { transferableAbortController } = main.process.getBuiltinModule('node:util');
const controller = transferableAbortController?.() ?? new main.AbortController();
export const AbortController = controller.constructor as typeof globalThis.AbortController;
export type AbortController = globalThis.AbortController;
export const AbortSignal = controller.signal.constructor as typeof globalThis.AbortSignal;
export type AbortSignal = globalThis.AbortSignal;
