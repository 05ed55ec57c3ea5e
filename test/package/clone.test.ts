/** The two commands of a clone, with no more installed than a start needs. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { newFolder } from '../support/folder.ts';
import { limit } from '../support/slow.ts';
import { git } from './release.ts';
import { npm, succeed } from './run.ts';

const { cleanGit } = inject('packed');
const INSTALL = ['ci', '--omit=dev', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund'];

/** `npm start`. Resolves with the address and the key. */
async function start(folder: string): Promise<{ url: string; key: string; end(): Promise<void> }> {
  const { PATH = '', HOME = '' } = process.env;
  const args = ['start', '--', '--port', '0', '--memory'];
  const child = spawn('npm', args, { cwd: folder, env: { PATH, HOME } });
  const ended = once(child, 'close');
  const end = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
  };
  onTestFinished(end);
  const said = { stdout: '', stderr: '' };
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said.stderr += text;
  });
  for await (const part of child.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    said.stdout += part;
    const [, url = '', key = ''] = /API +(\S+)[\s\S]*\n +key +(\S+)/.exec(said.stdout) ?? [];
    if (key) return { url, key, end };
  }
  throw new Error(`npm start ended:\n${said.stdout}${said.stderr}`);
}

test('npm ci --omit=dev, then npx before a start and npm start serve', { timeout: limit(300_000) }, async () => {
  const folder = await newFolder();
  git({ ...cleanGit, GIT_WORK_TREE: folder }, 'checkout', '--force', 'HEAD', '--', '.');
  await npm(INSTALL, folder);
  await expect(access(join(folder, 'node_modules/vitest'))).rejects.toThrow('ENOENT');

  await expect(access(join(folder, 'dist'))).rejects.toThrow('ENOENT');
  const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  expect(await succeed('npx', ['--no-install', 'petstore-sandbox', '--version'], { cwd: folder })).toBe(`${version}\n`);

  const { url, key, end } = await start(folder);
  const response = await fetch(`${url}/pets?limit=1`, { headers: { Authorization: `Bearer ${key}` } });
  expect(await response.json()).toEqual([expect.objectContaining({ id: 1, name: 'Biscuit' })]);
  // npm passes the signal on to its one process.
  await end();
  await expect(fetch(url)).rejects.toThrow('fetch failed');
});
