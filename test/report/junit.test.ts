/** The JUnit form against its schema. */
import { beforeAll, describe, expect, it } from 'vitest';
import { printable } from '../../src/core/text.ts';
import { operationNames } from '../../src/generated/facts.ts';
import { render } from '../../src/report/formats/junit.ts';
import { junitProblems } from '../support/published-schemas.ts';
import { sharedServer, type TestServer } from '../support/server.ts';
import { BROKEN_RESPONSE, factsOf, fetchReport, HOSTILE, KINDS, resultsOfVerdict, UNJUDGED } from './clients.ts';
import { EACH } from './each.ts';

let server: TestServer;
beforeAll(async () => {
  server = await sharedServer();
});

const problems = (xml: string | string[]) => junitProblems(xml, operationNames);

const count = (xml: string, pattern: RegExp): number => [...xml.matchAll(pattern)].length;

/** Sum of an attribute over all suites. */
const sum = (xml: string, attribute: string): number =>
  [...xml.matchAll(new RegExp(`<testsuite [^>]*\\b${attribute}="(\\d+)"`, 'g'))].reduce(
    (all, [, n]) => all + Number(n),
    0,
  );

describe('the JUnit form', () => {
  it.each(Object.keys(KINDS))('is valid, and its figures are right, for a client that %s', async (kind) => {
    const client = await server.sandbox({ label: kind });
    await KINDS[kind]?.(client);
    const texts: string[] = [];
    for (const strict of [false, true]) {
      const facts = await factsOf(client, strict);
      const { headers, text } = await fetchReport(client, 'junit', strict);
      expect(headers['content-type']).toBe('application/xml');
      texts.push(text);
      const [failures, errors, skipped] = ['failures', 'errors', 'skipped'].map((name) => sum(text, name));
      expect([failures, errors, skipped]).toEqual([
        count(text, /<failure /g),
        count(text, /<error /g),
        count(text, /<skipped /g),
      ]);
      expect(sum(text, 'tests')).toBe(count(text, /<testcase /g));
      expect(text).toContain(`tests="${sum(text, 'tests')}" failures="${failures}" errors="${errors}"`);
      // What CI systems make of it is the verdict.
      const ofSystem = failures ? 'fail' : errors ? 'incomplete' : 'pass';
      expect(ofSystem).toBe(facts.verdict);
      expect(skipped).toBe(facts.coverage.untested.length);
    }
    expect(await problems(texts)).toEqual([]);
  });

  it('has one suite an operation, one case a documented response or finding', async () => {
    const client = await server.sandbox();
    await client.get('/v1/pets?limit=500');
    await client.get('/v1/pets?limti=5');
    const { text } = await fetchReport(client, 'junit');
    expect([...text.matchAll(/<testsuite name="(\w+)"/g)].map(([, name]) => name)).toEqual([
      ...operationNames,
      'verdict',
    ]);
    const suite = text.slice(0, text.indexOf('</testsuite>'));
    expect([...suite.matchAll(/<testcase name="([^"]*)"/g)].map(([, name]) => name)).toEqual([
      'response 200: A paginated list of pets.',
      'response 401: The API key is missing or invalid.',
      'request/maximum at query/limit: Request query parameter limit must be &lt;= 100',
      'unknown-parameter at query/limti: A query has an unknown parameter',
    ]);
    expect(suite).toMatch(/<skipped message="401 not tested: [^"]+">/);
    expect(suite).toMatch(
      /<failure message="Send limit=100 instead of limit=500 [^"]+" type="request\/maximum">Send limit=100 instead of limit=500\n[^<]*requests {2}1 ×: req_\w+\nreq_\w+ .*GET \/v1\/pets\?limit=500 → 400\n.*#\/paths\/~1pets\/get\/parameters\/0/,
    );
    expect(suite).toMatch(
      /<system-out>Send limit=5 instead of limti=5\n[^<]*did you mean `limit`\?\nrequest {3}GET \/v1\/pets\?limti=5 → 200\nsent {6}limti=5\nrequests {2}1 ×: req_\w+/,
    );
  });

  it('has errors for what the client cannot help, beside failures too', async () => {
    for (const [verdict, types] of [
      [BROKEN_RESPONSE, ['response/type', 'error']],
      [UNJUDGED, ['error']],
    ] as const) {
      const xml = await render(resultsOfVerdict(verdict));
      expect(await problems(xml)).toEqual([]);
      expect([...xml.matchAll(/<error [^>]*type="([^"]*)"/g)].map(([, type]) => type)).toEqual(types);
    }
    const [violation] = BROKEN_RESPONSE.violations;
    const both = [{ ...violation, side: 'request' } as never, violation as never];
    const xml = await render(resultsOfVerdict({ violations: both, warnings: [] }));
    expect([sum(xml, 'failures'), sum(xml, 'errors')]).toEqual([1, 2]);
  });

  it.each([
    // A failed `must` and a stale known failure; what is unsure is an error.
    [
      'drills',
      'name="petstore drills" tests="9" failures="2" errors="1"',
      ['passes', 'fails', 'unsure', 'known', 'stale'],
    ],
    // A difference and a stale known difference.
    ['conformance', 'name="petstore conformance" tests="6" failures="2" errors="0"', ['List pets', 'Endpoints', 'run']],
    ['replay', 'name="petstore replay" tests="4" failures="1" errors="1"', ['replay']],
  ] as const)(
    'is valid for %s, with failures and errors for what fails and is not known',
    async (kind, head, suites) => {
      const xml = await render(EACH[kind]);
      expect(await junitProblems(xml, suites)).toEqual([]);
      expect(xml).toContain(`<testsuites ${head}>`);
    },
  );

  // It is valid as well: one of the clients above sends all of these.
  it.each(HOSTILE)('shows %j as text', async (text) => {
    const client = await server.sandbox();
    await client.post('/v1/pets', { name: 'Rex', categoryId: 1, [text]: 1 });
    const xml = (await fetchReport(client, 'junit', true)).text;
    const message = /<failure message="([^"]*)"/.exec(xml)?.[1] as string;
    expect(unescaped(message)).toContain(`unknown field \`${printable(text)}\``);
    expect(unescaped(message)).toMatch(/^Leave out /);
    expect(xml).not.toMatch(/[\p{Cs}\u061c\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]|[^\P{Cc}\n]/u);
  });
});

const unescaped = (text: string): string =>
  text.replaceAll(
    /&(amp|lt|gt|quot|apos);/g,
    (_, name) => ({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" })[name as string] as string,
  );
