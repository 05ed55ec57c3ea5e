/** The SARIF form against the published schema of SARIF 2.1.0. */
import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { render } from '../../src/report/formats/sarif.ts';
import type { Results } from '../../src/report/results.ts';
import { ruleOf } from '../../src/report/rules.ts';
import { parsePage } from '../support/pages.ts';
import { sarifProblems } from '../support/published-schemas.ts';
import { sharedServer, type TestServer } from '../support/server.ts';
import { BROKEN_RESPONSE, factsOf, fetchReport, HOSTILE, KINDS, resultsOfVerdict, UNJUDGED } from './clients.ts';
import { EACH } from './each.ts';

let server: TestServer;

beforeAll(async () => {
  server = await sharedServer();
});

const logOf = async (results: Results) => JSON.parse(await render(results, {}));

// biome-ignore lint/suspicious/noExplicitAny: what a test reads out of it, it also checks
const resultsOf = (log: any): any[] => log.runs[0].results;
describe('the SARIF form', () => {
  it.each(Object.keys(KINDS))('is valid, and points to no file, for a client that %s', async (kind) => {
    const client = await server.sandbox({ label: kind });
    await KINDS[kind]?.(client);
    const facts = await factsOf(client);
    const { headers, json: log } = await fetchReport(client, 'sarif');
    expect(headers['content-type']).toBe('application/sarif+json');
    expect(await sarifProblems(log)).toEqual([]);
    for (const result of resultsOf(log)) {
      // No file of the client's repository is the cause.
      expect(result.locations).toEqual([
        { logicalLocations: [{ fullyQualifiedName: expect.stringMatching(/^#/), kind: 'member' }] },
      ]);
    }
    const ofOperations = facts.operations.flatMap(({ violations, rounded }) => [...violations, ...rounded]);
    const found = [...ofOperations, ...facts.noOperation];
    expect(resultsOf(log).filter(({ level }) => level === 'error')).toHaveLength(found.length);
    expect(log.runs[0].invocations[0].executionSuccessful).toBe(facts.incompleteReasons.length === 0);
  });

  it('explains each rule, and names its place in the docs', async () => {
    const client = await server.sandbox();
    await KINDS['breaks the specification']?.(client);
    await KINDS['gets warnings']?.(client);
    const { rules } = (await fetchReport(client, 'sarif')).json.runs[0].tool.driver;
    expect(rules.length).toBeGreaterThan(5);
    const { anchors } = parsePage('docs/reference/rules.md', await readFile('docs/reference/rules.md', 'utf8'));
    for (const { id, shortDescription, fullDescription, help, helpUri } of rules) {
      const rule = ruleOf(id);
      expect(rule.id).toBe(id);
      expect([shortDescription.text, help.markdown]).toEqual([rule.title, rule.help]);
      expect(fullDescription.text).toBe(`${rule.title}.`);
      const [, anchor] =
        /^pkg:npm\/petstore-sandbox@[\d.]+\?anchor=([a-z0-9-]+)#docs\/reference\/rules\.md$/.exec(helpUri) ?? [];
      expect(anchors).toContain(anchor);
    }
  });

  it('gives the same mistake the same fingerprint in another sandbox, and another one another', async () => {
    const prints: string[][] = [];
    for (const query of ['limit=500', 'limit=500', 'limit=0']) {
      const client = await server.sandbox();
      await client.get(`/v1/pets?${query}`);
      prints.push(
        resultsOf((await fetchReport(client, 'sarif')).json).map((each) => each.partialFingerprints['contract/v1']),
      );
    }
    expect(prints[0]).toHaveLength(1);
    expect(prints[1]).toEqual(prints[0]);
    expect(prints[2]).not.toEqual(prints[0]);
  });

  it('makes errors of warnings in a strict report', async () => {
    const client = await server.sandbox();
    await client.get('/v1/pets?limti=500');
    const levels = async (strict: boolean) =>
      resultsOf((await fetchReport(client, 'sarif', strict)).json).map(({ level }) => level);
    expect([await levels(false), await levels(true)]).toEqual([['warning'], ['error']]);
  });

  it('says why a run is not the whole truth, and whose fault a broken response is', async () => {
    const log = await logOf(resultsOfVerdict(BROKEN_RESPONSE));
    expect(await sarifProblems(log)).toEqual([]);
    expect(resultsOf(log)).toMatchObject([
      { level: 'note', message: { text: expect.stringContaining('a bug of the sandbox') } },
    ]);
    const validationError = await logOf(resultsOfVerdict(UNJUDGED));
    expect(await sarifProblems(validationError)).toEqual([]);
    expect(validationError.runs[0].invocations[0]).toMatchObject({
      executionSuccessful: false,
      toolExecutionNotifications: [
        { level: 'error', message: { text: 'verdict: 1 request could not be validated: the validator <broke>' } },
        { level: 'note' },
      ],
    });
  });

  it.each(Object.entries(EACH))('is valid for %s', async (_kind, results) => {
    expect(await sarifProblems(await logOf(results))).toEqual([]);
  });

  it.each(HOSTILE)('makes no link, no placeholder and no control of %j', async (text) => {
    const client = await server.sandbox();
    await client.post('/v1/pets', { name: 'Rex', categoryId: 1, [text]: 1 });
    const { json: log } = await fetchReport(client, 'sarif');
    expect(await sarifProblems(log)).toEqual([]);
    const [{ message }] = resultsOf(log);
    expect(message.text).not.toMatch(/[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069\ufffe\uffff]/u);
    // A reader undoes the escapes; nothing but escaped characters may be left of links and placeholders.
    const bare = message.text.replaceAll(/\\[\\[\]]|\{\{|\}\}/g, '');
    expect(bare).not.toMatch(/[[\]\\{}]/);
  });
});
