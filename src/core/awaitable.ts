/** Values that are usually there at once: a promise for each would cost a request as much as its operation. */

/** A value, or the promise of one. A function that returns it may also throw. */
export type Awaitable<T> = T | Promise<T>;

/** Continues with a value: at once if it is there, otherwise when it is. */
export const continued = <T, Result>(value: Awaitable<T>, next: (value: T) => Awaitable<Result>): Awaitable<Result> =>
  value instanceof Promise ? value.then(next) : next(value);
