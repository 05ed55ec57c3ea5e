// Makes the pictures of the documentation from the real thing: `npm run pictures`. It needs Debian's packages chromium (or the
// one that CHROMIUM_PATH names) and webp.
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import { startSandbox } from '../dist/index.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = await mkdtemp(path.join(tmpdir(), 'pictures-'));
const sandbox = await startSandbox();
const { key } = await sandbox.issueKey({ label: 'checkout tests' });
const server = sandbox.url.replace(/\/v1$/, '');
const browser = await chromium.launch({ executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium' });

const send = (target, body) =>
  fetch(sandbox.url + target, {
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  }).then((response) => response.text());

/** A command whose exit code says that a client failed. */
const run = (...args) =>
  promisify(execFile)(process.execPath, [path.join(root, 'dist/cli.cjs'), ...args], { cwd: root }).catch((error) => {
    if (error.code !== 1) throw error;
  });

const picture = async (page, name, clip) => {
  await page.waitForTimeout(1000);
  await page.screenshot({ path: path.join(root, `docs/${name}.png`), animations: 'disabled', clip });
};

/** A client sends requests, and its mistake is corrected, as a moving picture. */
async function firstMinute(page) {
  const own = await sandbox.issueKey({ label: 'checkout tests' });
  const asClient = (target, body) =>
    fetch(sandbox.url + target, {
      headers: { Authorization: `Bearer ${own.key}`, 'Content-Type': 'application/json', 'User-Agent': 'checkout' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
  const frames = [];
  const frame = async (ms) => {
    await page.waitForTimeout(400);
    const file = path.join(folder, `frame-${frames.length}.png`);
    await page.screenshot({ path: file, animations: 'disabled' });
    frames.push('-d', String(ms), file);
  };
  await page.goto('about:blank');
  await page.addInitScript((kept) => sessionStorage.setItem('petstore-sandbox-key', kept), own.key);
  await page.setViewportSize({ width: 850, height: 620 });
  await page.goto(`${server}/#/live`);
  await frame(1000);
  const steps = [
    ['/pets'],
    ['/pets?status=sold'],
    ['/pets', { name: 'Biscuit', categoryId: 1 }],
    ['/pets?limit=500'],
    ['/pets', { name: 'Rex', catgoryId: 1 }],
  ];
  for (const step of steps) {
    await asClient(...step);
    await frame(700);
  }
  await page.getByText('catgoryId').first().click();
  await frame(2500);
  await page.getByRole('button', { name: 'Fix and send' }).click();
  await frame(2500);
  await promisify(execFile)('img2webp', [
    ...['-loop', '0', '-lossy', '-q', '70', ...frames],
    ...['-o', path.join(root, 'docs/first-minute.webp')],
  ]);
}

try {
  await sandbox.ready;
  await send('/pets');
  await send('/pets?limit=500');
  await send('/pets?limit=100');
  await send('/pets', { name: 'Biscuit', categoryId: 1 });
  await send('/pets/13');
  await send('/pets', { name: 'Rex', catgoryId: 1 });
  await send('/pets?status=sold');

  const connection = ['--url', sandbox.url, '--key', key];
  await run('report', ...connection, '--out', path.join(folder, 'report.html'));
  const client = [process.execPath, 'examples/drills/fetch.mjs'];
  await run('drill', '--start', '--only', 'long-ids', '--out', path.join(folder, 'drill.html'), '--', ...client);

  // As wide as GitHub shows a page, so that its text can be read there.
  const page = await browser.newPage({ viewport: { width: 850, height: 900 }, deviceScaleFactor: 2 });
  await page.addInitScript((kept) => sessionStorage.setItem('petstore-sandbox-key', kept), key);
  await page.goto(`${server}/#/live`);
  await page.getByText('Biscuit').first().waitFor();
  await page.getByText('catgoryId').first().click();
  const { y, height } = await page.getByRole('region', { name: 'Request', exact: true }).boundingBox();
  await picture(page, 'request', { x: 0, y: y - 166, width: 850, height: height + 176 });
  await firstMinute(page);
  for (const name of ['drill', 'report']) {
    const page = await browser.newPage({ viewport: { width: 960, height: 720 }, colorScheme: 'light' });
    await page.goto(pathToFileURL(path.join(folder, `${name}.html`)).href);
    await picture(page, name);
  }
} finally {
  await browser.close();
  await sandbox.close();
  await rm(folder, { recursive: true, force: true });
}
