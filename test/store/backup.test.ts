/** A copy of the data directory that is made while sandboxes begin, change and end. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { newFolder } from '../support/folder.ts';
import { addOne, namesOf, openFiles, sandboxIn } from './support.ts';

async function copy(from: string, to: string): Promise<{ code: number | null; said: string }> {
  const child = spawn('cp', ['-r', from, to], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, LC_ALL: 'C' },
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, said };
}

it.skipIf(process.platform === 'win32')(
  'a copy holds every sandbox that stays, whether or not cp found one gone',
  async () => {
    const directory = await newFolder();
    const data = join(directory, 'data');
    const store = await openFiles(data);
    const kept = await Promise.all(Array.from({ length: 20 }, () => sandboxIn(store)));
    for (const id of kept) await addOne(store, id, 'Ada');
    let hasFailed = false;
    // A file may vanish at any time while it is copied: until one does, the exit code proves nothing.
    for (let round = 0; round < 100 && !hasFailed; round++) {
      const passing = await Promise.all(Array.from({ length: 200 }, () => sandboxIn(store)));
      const copying = copy(data, join(directory, 'copy'));
      for (const id of passing.reverse()) {
        await store.remove(id);
        await addOne(store, kept[0] as string, 'Bea');
      }
      const { code, said } = await copying;
      hasFailed = code !== 0;
      for (const line of said.split('\n').filter((each) => each !== ''))
        expect(line).toContain('No such file or directory');
      const copied = await openFiles(join(directory, 'copy'));
      for (const id of kept) expect((await namesOf(copied, id))[0]).toBe('Ada');
      await copied.close();
      await rm(join(directory, 'copy'), { recursive: true });
    }
    expect(hasFailed).toBe(true);
    await store.close();
  },
);
