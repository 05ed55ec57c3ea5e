/** The two commands of a clone, with no more installed than a start needs. */
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { newFolder } from '../support/folder.ts';
import { limit } from '../support/slow.ts';
import { git } from './git.ts';
import { npm, serve, succeed } from './run.ts';

const { cleanGit } = inject('package');
const INSTALL = ['ci', '--omit=dev', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund'];

test('npm ci --omit=dev, then npx before a start and npm start serve', { timeout: limit(300_000) }, async () => {
  const folder = await newFolder();
  git({ ...cleanGit, GIT_WORK_TREE: folder }, 'checkout', '--force', 'HEAD', '--', '.');
  await npm(INSTALL, folder);
  await expect(access(join(folder, 'node_modules/vitest'))).rejects.toThrow('ENOENT');

  await expect(access(join(folder, 'dist'))).rejects.toThrow('ENOENT');
  const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  expect(await succeed('npx', ['--no-install', 'petstore-sandbox', '--version'], { cwd: folder })).toBe(`${version}\n`);

  const args = ['start', '--', '--port', '0', '--memory'];
  const { match, stop } = await serve('npm', args, /API +(\S+)[\s\S]*\n +key +(\S+)/, { cwd: folder });
  onTestFinished(stop);
  const [, url = '', key = ''] = match;
  const response = await fetch(`${url}/pets?limit=1`, { headers: { Authorization: `Bearer ${key}` } });
  expect(await response.json()).toEqual([expect.objectContaining({ id: 1, name: 'Biscuit' })]);
  // npm passes the signal on to its one process.
  await stop();
  await expect(fetch(url)).rejects.toThrow('fetch failed');
});
