/** Functions of the library that somebody else's program calls. */

/** A value with which nothing can be called. */
export class WrongUseError extends Error {}

/**
 * A function whose errors point to its caller. Node prints an uncaught error with the line of code that its stack begins
 * with, its fields and its cause: in a bundle, pages before the sentence that says what to do. A mistake of ours, such as a
 * TypeError, stays as it is.
 */
export function forCallers<T extends (...args: never[]) => Promise<unknown>>(run: T): T {
  const called = async (...args: Parameters<T>): Promise<unknown> => {
    try {
      return await run(...args);
    } catch (error) {
      if (error instanceof Error && !Object.hasOwn(globalThis, error.constructor.name)) pointTo(called, error);
      throw error;
    }
  };
  return called as T;
}

function pointTo(called: (...args: never[]) => unknown, error: Error): void {
  // Not every browser has it.
  if ('captureStackTrace' in Error) (Error.captureStackTrace as (error: Error, above: unknown) => void)(error, called);
  if (error.stack) error.stack = error.stack.replace(/\n.*\(node:internal.*/g, '');
  delete error.cause;
  for (const name of Object.keys(error)) Object.defineProperty(error, name, { enumerable: false });
}
