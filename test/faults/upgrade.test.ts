/** A kill at any moment of an upgrade: the next start goes on with it, and nothing is lost. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { LAYOUT_VERSION } from '../../src/store/layout.ts';
import { filesBelow, namesOf, openFiles } from '../store/support.ts';
import { CLI } from '../support/program.ts';

/** Every file of an upgrade gets its name by a rename: the process is killed just before this one. */
const killAt = (rename: number): string =>
  `data:text/javascript,${encodeURIComponent(`
    import fs from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    const { renameSync } = fs;
    let renames = 0;
    fs.renameSync = (...args) => {
      if (++renames === ${rename}) process.kill(process.pid, 'SIGKILL');
      return renameSync(...args);
    };
    syncBuiltinESMExports();
  `)}`;

it('an upgrade that is killed is finished by the next start, wherever it was cut off', async () => {
  const original = await filesBelow('test/store/layout-1');
  let interrupted = 0;
  for (let rename = 1; ; rename++) {
    const directory = await mkdtemp(join(tmpdir(), 'petstore-upgrade-'));
    try {
      await cp('test/store/layout-1', directory, { recursive: true });
      const flags = ['--port', '0', '--data', directory, '--log-format', 'json'];
      const child = spawn(process.execPath, ['--import', killAt(rename), CLI, ...flags], { env: {} });
      const ended = once(child, 'exit');
      await Promise.race([ended, once(child.stdout, 'data')]);
      child.kill('SIGKILL');
      await ended;
      const layout = await readFile(join(directory, 'store.json'), 'utf8');
      const store = await openFiles(directory);
      expect((await namesOf(store, 'sbx_a')).join()).toBe('Ada,Bea,Cleo,Dan');
      expect((await namesOf(store, 'sbx_f')).join()).toBe('Ada,Bea,Cleo,Fay');
      expect(store.records()).toHaveLength(3);
      await store.close();
      const copies = (await filesBelow(directory)).filter((file) => /^\.?backup-layout/.test(file));
      expect(copies).toEqual(original.map((file) => join('backup-layout-1', file)));
      for (const file of original) {
        const copy = await readFile(join(directory, 'backup-layout-1', file), 'utf8');
        expect(copy).toBe(await readFile(join('test/store/layout-1', file), 'utf8'));
      }
      if (layout === `{"layout":${LAYOUT_VERSION}}\n`) break;
      interrupted++;
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  }
  // The copy's name is noted; its own `store.json`; the copy; four log files and their folder; three heads; the two layouts.
  expect(interrupted).toBe(13);
});
