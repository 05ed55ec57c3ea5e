/** A recording, from a job that failed to the page where its failing exchange is seen. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { newFolder } from '../support/folder.ts';
import { runProgram, startProgram } from '../support/program.ts';
import { limit } from '../support/slow.ts';
import { arrive, drop, visit } from './visit.ts';

const REFUSED = /the server responded with a status of 4\d\d/;
/** What a CI job that failed uploaded. */
async function redRecording(): Promise<{ text: string; file: string }> {
  const directory = await newFolder();
  const client = `fetch(process.env.SANDBOX_URL + '/pets', { method: 'POST', body: '{"name":"Rex"}',
    headers: { Authorization: 'Bearer ' + process.env.SANDBOX_KEY, 'Content-Type': 'application/json' } })
    .then(({ status }) => { process.exitCode = status === 201 ? 0 : 1; });`;
  const flags = ['--start', '--label', 'red job', '--artifacts', directory];
  expect((await runProgram(['exec', ...flags, '--', process.execPath, '-e', client])).code).toBe(1);
  const name = (await readdir(directory)).find((each) => each.startsWith('recording-'));
  const file = join(directory, String(name));
  return { file, text: await readFile(file, 'utf8') };
}

/** The failing exchange, with its reason beside the body. */
async function seeFailure(page: Page): Promise<void> {
  await page.locator('.exchange').filter({ hasText: 'POST' }).click();
  const request = page.getByRole('region', { name: 'Request', exact: true });
  await request.getByText('"name": "Rex"').waitFor();
  await request.getByText('categoryId missing').waitFor();
}

test('the recording of a red job is opened by the command, and its failing exchange is seen', async () => {
  const { file } = await redRecording();
  const { child, said, ended } = startProgram(['open', file]);
  await expect.poll(() => said.stdout, { timeout: limit(20_000) }).toMatch(/curl -H/);
  const [, url = '', at = ''] = /dashboard {2}(\S+)(\/#\/sign-in\/\w+)/.exec(said.stdout) ?? [];
  const { page } = await arrive({ server: { url } as never, at });
  await seeFailure(page);
  // A page that is left open would miss its server.
  await page.close();
  child.kill('SIGINT');
  await ended;
});

test('a recording that is dropped on the page is opened with its own key; another file is rejected in words', async () => {
  const { page, server } = await arrive({ expected: REFUSED });
  const { size } = server.sandboxes;
  await drop(page, 'recording.jsonl', '{"something":"else"}');
  await page.getByRole('alert').filter({ hasText: 'this is no recording' }).waitFor();
  expect(server.sandboxes.size).toBe(size);
  await drop(page, 'recording.jsonl', (await redRecording()).text);
  await page.getByText('Opened red job as a new sandbox.').waitFor();
  await seeFailure(page);
  const kept = await page.evaluate(() => sessionStorage.getItem('petstore-sandbox-key'));
  const { json } = await server.client(String(kept)).get('/_sandbox');
  expect(json.label).toBe('red job');
});

test('a sandbox is saved in every form, and the saved recording is chosen again', async () => {
  const { page, client, server } = await visit();
  const { size } = server.sandboxes;
  await client.get('/v1/pets?limit=500');
  await page.getByRole('link', { name: 'Setup', exact: true }).click();
  const card = page.getByRole('region', { name: 'Save and restore' });
  const saved = new Map<string, string>();
  for (const name of ['Recording', 'HTTP Archive', 'curl script', 'Fixture']) {
    const downloading = page.waitForEvent('download');
    await card.locator('.buttons').getByRole('button', { name, exact: true }).click();
    const download = await downloading;
    saved.set(download.suggestedFilename(), await readFile(await download.path(), 'utf8'));
    await page.getByText(`Downloaded ${download.suggestedFilename()}.`).waitFor();
  }
  expect([...saved.keys()]).toEqual(['recording.jsonl', 'requests.har', 'requests.sh', 'pets.json']);
  for (const text of saved.values()) expect(text).not.toContain('petsbx_0');
  expect(JSON.parse(saved.get('requests.har') as string).log.entries).toHaveLength(1);
  const buffer = Buffer.from(saved.get('recording.jsonl') as string);
  await card.getByLabel('Recording').setInputFiles({ name: 'recording.jsonl', mimeType: 'application/jsonl', buffer });
  await page.locator('.exchange').filter({ hasText: '/pets?limit=500' }).waitFor();
  expect(server.sandboxes.size).toBe(size + 1);
});
