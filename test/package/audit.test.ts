/** What CI says of known vulnerabilities, by what a registry answers. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { newFolder } from '../support/folder.ts';

/** Runs the script with a registry that answers every audit like this. */
async function auditWith(status: number, body: string): Promise<{ code: number | null; said: string }> {
  const registry: Server = createServer((req, res) => {
    const isAudit = req.method === 'POST' && (req.url ?? '').endsWith('/advisories/bulk');
    req.resume();
    res.writeHead(isAudit ? status : 404, { 'Content-Type': 'application/json' });
    res.end(isAudit ? body : '{}');
  });
  registry.listen(0, '127.0.0.1');
  await once(registry, 'listening');
  try {
    return await audit(`http://127.0.0.1:${(registry.address() as AddressInfo).port}/`);
  } finally {
    registry.closeAllConnections();
    registry.close();
  }
}

async function audit(registry: string): Promise<{ code: number | null; said: string }> {
  // npm remembers an advisory by its number.
  const npm_config_cache = await newFolder();
  const env = {
    ...process.env,
    npm_config_cache,
    npm_config_registry: registry,
    npm_config_fetch_retries: '0',
    GITHUB_ACTIONS: 'true',
  };
  const child = spawn(process.execPath, ['scripts/audit.mjs'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, said };
}

const advisory = (severity: string): string =>
  JSON.stringify({
    express: [{ id: 1, url: 'https://example.com/1', title: 'An example', severity, vulnerable_versions: '*' }],
  });

test('nothing is known, and that is said, where the registry does not answer or has no audit', async () => {
  const refused = await auditWith(405, '');
  const broken = await auditWith(200, 'no JSON');
  const away = await audit('http://127.0.0.1:9/');
  for (const { code, said } of [refused, broken, away]) {
    expect([code, said]).toEqual([
      0,
      expect.stringMatching(/^::warning::npm audit could not be asked, so nothing is known/),
    ]);
    expect(said).not.toContain('0 with known');
  }
});

test('a known vulnerability is named, and fails where it is high', async () => {
  expect(await auditWith(200, '{}')).toEqual({
    code: 0,
    said: expect.stringMatching(/^npm audit was asked about \d{2,} packages: 0 with known vulnerabilities/),
  });
  const low = await auditWith(200, advisory('low'));
  expect([low.code, low.said]).toEqual([
    0,
    expect.stringContaining('low: express: An example (https://example.com/1)'),
  ]);
  const high = await auditWith(200, advisory('high'));
  expect([high.code, high.said]).toEqual([1, expect.stringContaining('1 with known vulnerabilities, 1 of them high')]);
});
