/** What CI says of known vulnerabilities, by what a registry answers. */
import { expect, test } from 'vitest';
import { newFolder } from '../support/folder.ts';
import { listen } from '../support/ports.ts';
import { run } from './run.ts';

async function audit(registry: string): Promise<[code: number | null, said: string]> {
  const environment = {
    // npm remembers an advisory by its number.
    npm_config_cache: await newFolder(),
    npm_config_registry: registry,
    npm_config_fetch_retries: '0',
    GITHUB_ACTIONS: 'true',
  };
  const { code, stdout } = await run(process.execPath, ['scripts/audit.mjs'], { cwd: process.cwd(), environment });
  return [code, stdout];
}

const advisory = (severity: string): string =>
  JSON.stringify({
    express: [{ id: 1, url: 'https://example.com/1', title: 'An example', severity, vulnerable_versions: '*' }],
  });

const NOT_ASKED = /^::warning::npm audit could not be asked, so nothing is known(?!.*0 with known)/s;

test.each<[what: string, status: number, body: string, code: number, said: RegExp]>([
  ['has no audit', 405, '', 0, NOT_ASKED],
  ['knows nothing', 200, '{}', 0, /^npm audit was asked about \d{2,} packages: 0 with known vulnerabilities/],
  ['knows of a high one', 200, advisory('high'), 1, /1 with known vulnerabilities, 1 of them high/],
])('a registry that %s', async (_, status, body, code, said) => {
  const registry = await listen((req, res) => {
    const isAudit = req.method === 'POST' && (req.url ?? '').endsWith('/advisories/bulk');
    req.resume();
    res.writeHead(isAudit ? status : 404, { 'Content-Type': 'application/json' });
    res.end(isAudit ? body : '{}');
  });
  expect(await audit(`${registry}/`)).toEqual([code, expect.stringMatching(said)]);
});

test('a registry that does not answer', async () => {
  expect(await audit('http://127.0.0.1:9/')).toEqual([0, expect.stringMatching(NOT_ASKED)]);
});
