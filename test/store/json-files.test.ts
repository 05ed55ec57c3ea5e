import { afterEach } from 'vitest';
import { conformance } from './conformance.ts';
import { openFiles, scratch } from './support.ts';

const clearing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const clear of clearing.splice(0)) await clear();
});

conformance({ kind: 'json-files', depth: 200 }, async (limits) => {
  const { directory, clear } = await scratch();
  clearing.push(clear);
  return openFiles(directory, limits);
});
