/** The SARIF form against Microsoft's validator. It comes as a program for each system. */
import { execFile } from 'node:child_process';
import { chmod, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { inFormat } from '../../src/report/formats/formats.ts';
import { reportResults } from '../../src/report/report-results.ts';
import type { Results } from '../../src/report/results.ts';
import { newFolder } from '../support/folder.ts';
import { sharedServer } from '../support/server.ts';
import { limit } from '../support/slow.ts';
import { factsOf, KINDS } from './clients.ts';
import { EACH } from './each.ts';

const NAMES: Partial<Record<NodeJS.Platform, string>> = {
  linux: '@microsoft/sarif-multitool-linux/Sarif.Multitool',
  darwin: '@microsoft/sarif-multitool-darwin/Sarif.Multitool',
};
const name = process.arch === 'x64' || process.platform === 'darwin' ? NAMES[process.platform] : undefined;

const client = await (await sharedServer()).sandbox();
for (const kind of ['breaks the specification', 'sends hostile text']) await KINDS[kind]?.(client);

/** The errors in a log, by their rules. */
async function errorsIn(results: Results, options: { sourceFile?: string }): Promise<string[]> {
  const tool = createRequire(import.meta.url).resolve(name ?? '');
  // No install script does it.
  await chmod(tool, 0o755);
  const folder = await newFolder({ 'log.sarif': await inFormat('sarif', results, options) });
  const [log, found] = [join(folder, 'log.sarif'), join(folder, 'found.sarif')];
  const args = ['validate', log, '--output', found, '--rule-kind', 'Sarif', '--level', 'Error'];
  // It ends with 1 for what it found.
  await promisify(execFile)(tool, args).catch(() => undefined);
  const { runs } = JSON.parse((await readFile(found, 'utf8')).replace(/^\ufeff/, ''));
  return runs[0].results.map(({ ruleId, message }: Record<string, object>) => `${ruleId} ${JSON.stringify(message)}`);
}

const title = 'no result has an error, and a run that ends before it starts has one';
test.runIf(name)(title, { timeout: limit(60_000) }, async () => {
  const hostile = reportResults(await factsOf(client));
  const backward = { ...EACH.drills, startedAt: '2026-11-22T10:00:00.000Z', endedAt: '2020-01-01T00:00:00.000Z' };
  for (const results of [...Object.values(EACH), hostile])
    expect(await errorsIn(results, { sourceFile: 'spec/a b.yaml' })).toEqual([]);
  expect(await errorsIn(backward, {})).toEqual([expect.stringContaining('SARIF1006')]);
});
