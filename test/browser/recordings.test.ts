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
  await request.getByText('an integer, required').waitFor();
}

test('the recording of a red job is opened by the command, and when it is dropped; another file is rejected', async () => {
  const { file, text } = await redRecording();
  const { child, said, ended } = startProgram(['open', file]);
  await expect.poll(() => said.stdout, { timeout: limit(20_000) }).toMatch(/curl -H/);
  const [, url = '', at = ''] = /dashboard {2}(\S+)(\/#\/sign-in\/\w+)/.exec(said.stdout) ?? [];
  const { page } = await arrive({ server: { url } as never, at });
  await seeFailure(page);
  // A page that is left open would miss its server.
  await page.close();
  child.kill('SIGINT');
  await ended;

  const { page: dropped, server } = await arrive({ expected: REFUSED });
  const { size } = server.sandboxes;
  await drop(dropped, 'recording.jsonl', '{"something":"else"}');
  await dropped.getByRole('alert').filter({ hasText: 'this is no recording' }).waitFor();
  expect(server.sandboxes.size).toBe(size);
  await drop(dropped, 'recording.jsonl', text);
  await dropped.getByText('Opened red job as a new sandbox.').waitFor();
  await seeFailure(dropped);
});

test('a sandbox is saved in every form, and the saved recording is chosen again', async () => {
  const { page, client, server } = await visit();
  const { size } = server.sandboxes;
  await client.get('/v1/pets?limit=500');
  await page.getByRole('link', { name: 'Setup', exact: true }).click();
  const card = page.getByRole('region', { name: 'Save and restore' });
  const saved = new Map<string, string>();
  for (const name of ['Recording', 'HTTP Archive', 'curl script', 'Fixture', 'Report']) {
    const downloading = page.waitForEvent('download');
    if (saved.size === 0) await card.getByText('Download, without secrets…').click();
    await card.locator('details').getByRole('button', { name, exact: true }).click();
    const download = await downloading;
    saved.set(download.suggestedFilename(), await readFile(await download.path(), 'utf8'));
    await page.getByText(`Downloaded ${download.suggestedFilename()}.`).waitFor();
  }
  expect([...saved.keys()]).toEqual([
    'recording.jsonl',
    'requests.har',
    'requests.sh',
    'pets.json',
    'contract-report.html',
  ]);
  for (const text of saved.values()) expect(text).not.toContain('petsbx_0');
  expect(JSON.parse(saved.get('requests.har') as string).log.entries).toHaveLength(1);
  await page.getByRole('link', { name: 'Live', exact: true }).click();
  const buffer = Buffer.from(saved.get('recording.jsonl') as string);
  await page
    .getByLabel('Open a file…')
    .setInputFiles({ name: 'recording.jsonl', mimeType: 'application/jsonl', buffer });
  await page.locator('.exchange').filter({ hasText: '/pets?limit=500' }).waitFor();
  expect(server.sandboxes.size).toBe(size + 1);
});

const EACH_KIND: readonly (readonly [name: string, content: string, said: string])[] = [
  ['pets.csv', 'id,name,categoryId\n9007199254740993,Rex,1\n', 'Reset to pets.csv: 1 pet.'],
  ['excel.csv', 'sep=;\nid;name;categoryId\n7;Rex;1\n', 'Reset to excel.csv: 1 pet.'],
  ['unnamed', '{"pets":[{"id":7,"name":"Rex","categoryId":1},{"id":8,"name":"Bo","categoryId":1}]}', '2 pets.'],
  ['wrong.csv', 'id,nmae,categoryId\n1,Rex,1\n', 'wrong.csv, read as a table of pets (CSV): '],
  ['wrong.json', '{"pets":[{"id":"x"}]}', 'wrong.json, read as a fixture: '],
  ['wrong.har', '{"log":5}', 'wrong.har, read as a HAR: '],
  ['holiday.txt', 'Dear diary', 'holiday.txt is none of these: a recording, a HAR'],
];

test('a file of each kind is told by its content, and one that cannot be read says as what it was read', async () => {
  const { page, client } = await visit({ expected: REFUSED });
  await client.get('/v1/pets?limit=500');
  const open = async (name: string, content: string) => {
    await page.getByRole('link', { name: 'Live', exact: true }).click();
    await page.getByLabel('Open a file…').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(content) });
  };
  const missed: string[] = [];
  for (const [name, content, said] of EACH_KIND) {
    await open(name, content);
    await page
      .getByText(said)
      .first()
      .waitFor()
      .catch(() => missed.push(name));
  }
  expect(missed).toEqual([]);
  expect((await client.get('/_sandbox/pets')).text).not.toContain('9007199254740993');
  await page.getByRole('button', { name: 'Undo the reset' }).click();
  await page.getByText('Undone').waitFor();
});
