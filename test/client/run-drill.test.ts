/** Which failures of a client are mistakes of its own: what runtimes print of them, and what functions throw. */
import { describe, expect, it } from 'vitest';
import { isMistake, isUncaughtMistake } from '../../src/client/run-drill.ts';

const NODE = (error: string): string =>
  `file:///a.mjs:1\nx.y.z;\n    ^\n\n${error}\n    at file:///a.mjs:1:5\n\nNode.js v20.19.0\n`;
const PYTHON = (...errors: string[]): string =>
  errors
    .map((error) => `Traceback (most recent call last):\n  File "a.py", line 1, in <module>\n    x()\n${error}\n`)
    .join('\nDuring handling of the above exception, another exception occurred:\n\n');

describe('what a program printed when it failed', () => {
  it.each([
    ['Node', NODE("TypeError: Cannot read properties of undefined (reading 'message')")],
    ['Deno', 'error: Uncaught (in promise) TypeError: Cannot read properties of undefined\n    at file:///a.ts:1:1\n'],
    ['Python', PYTHON("KeyError: 'details'")],
    ['Java', 'Exception in thread "main" java.lang.NullPointerException: x\n\tat A.main(A.java:1)\n'],
    ['Go', 'panic: runtime error: invalid memory address\n\ngoroutine 1 [running]:\n'],
    ['Rust', "thread 'main' panicked at src/main.rs:1:5:\nindex out of bounds\n"],
    ['Ruby', "a.rb:1:in `<main>': undefined method `x' for nil:NilClass (NoMethodError)\n"],
    ['PHP', 'PHP Fatal error:  Uncaught TypeError: a(): Argument #1 must be of type string\n'],
  ])('is a crash in %s', (_, stderr) => expect(isUncaughtMistake(stderr)).toBe(true));

  it.each([
    ['nothing', ''],
    ['an error of the API in Node', NODE('Error: 422 from the API')],
    ['a connection that failed in Node', NODE('TypeError: fetch failed')],
    ['a mistake that was caught and logged', 'TypeError: x is undefined\n    at a.mjs:1:1\ngiving up\n'],
    ['an error of the API in Python', PYTHON("KeyError: 'x'", 'requests.exceptions.HTTPError: 422 Client Error')],
    ['a log line', 'thread pool: no panic\n'],
  ])('is no crash for %s', (_, stderr) => expect(isUncaughtMistake(stderr)).toBe(false));
});

it('a function that throws a TypeError of its own crashed, and one whose fetch failed did not', () => {
  expect(isMistake(new TypeError('x'))).toBe(true);
  expect(isMistake(new TypeError('fetch failed', { cause: new Error('ECONNREFUSED') }))).toBe(false);
  expect(isMistake(new Error('422'))).toBe(false);
  expect(isMistake('422')).toBe(false);
});
