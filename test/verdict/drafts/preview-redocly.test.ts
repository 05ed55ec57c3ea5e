/** The preview of a draft beside `redocly drift`, another program for the same question. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { newFolder } from '../../support/folder.ts';
import { sharedServer } from '../../support/server.ts';
import { limit } from '../../support/slow.ts';
import { DRAFTS, type Draft, draftWith, sendAll } from './breaking-drafts.ts';

const server = await sharedServer();
const recorded = await server.sandbox();
await sendAll(recorded);

/** What `redocly drift` says of the requests in a HAR, in the words of `DRAFTS`. */
async function driftOf(har: string, draft: string): Promise<string[]> {
  const folder = await newFolder({ 'traffic.har': har, 'draft.yaml': draft });
  const files = [join(folder, 'traffic.har'), '--api', join(folder, 'draft.yaml'), '--server', `${server.url}/v1`];
  const args = ['drift', ...files, '--format=json', '--ignore-headers=sandbox-expect'];
  const env = { PATH: process.env['PATH'], REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const printed = await new Promise<string>((done) => {
    // It ends with 1 where it finds a problem.
    const cli = 'node_modules/@redocly/cli/bin/cli.js';
    execFile(process.execPath, [cli, ...args], { env, timeout: limit(60_000) }, (_, stdout) => done(stdout));
  });
  const { run, problems } = JSON.parse(printed) as { run: Draft; problems: Draft[] };
  expect([run.totalExchanges, run.skippedExchanges]).toEqual([11, 0]);
  const ofRequests = problems.filter(({ target }) => target === 'request');
  return ofRequests.map(({ operationId, ruleId, details = {}, dataPath, occurrences }) => {
    if (ruleId === 'undocumented-endpoint') return `getPet removed operation ${occurrences}`;
    const { parameter, keyword } = details;
    const place = parameter ? `${parameter.in}/${parameter.name}` : `body${dataPath}`;
    return `${operationId} ${keyword} ${place} ${occurrences}`;
  });
}

it.each(DRAFTS)('a draft that %s breaks the same requests for Redocly', async (_, change, breaks) => {
  // Drift merges equal problems, as these groups do. It also holds the recorded responses to the draft, such as a list with
  // a pending pet, which a server that follows the draft no longer sends: a preview names the change of responses in a note.
  const { text } = await recorded.get('/_sandbox/export?format=har');
  expect(await driftOf(text, draftWith(change))).toEqual(breaks.map((each) => each.split(':')[0]));
});
