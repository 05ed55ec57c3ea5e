// What the bundled packages get instead of the globals of these names, which a test runner may replace.
// biome-ignore-all lint/performance/noBarrelFile: the bundler needs one file
export { atob, Buffer, btoa } from 'node:buffer';
export { webcrypto as crypto } from 'node:crypto';
export { performance } from 'node:perf_hooks';
export { ReadableStream } from 'node:stream/web';
export { URL, URLSearchParams } from 'node:url';
export { TextDecoder, TextEncoder } from 'node:util';
export {
  AbortController,
  AbortSignal,
  clearInterval,
  clearTimeout,
  nextTick as realNextTick,
  queueMicrotask,
  RealDate as Date,
  setImmediate,
  setInterval,
  setTimeout,
} from '../src/base/real-globals.ts';
