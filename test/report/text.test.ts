import { describe, expect, it } from 'vitest';
import { conformResults } from '../../src/conform/conform-results.ts';
import { suite } from '../../src/conform/suite.ts';
import { inFormat } from '../../src/report/formats/formats.ts';
import { render } from '../../src/report/formats/text.ts';
import { reportResults } from '../../src/report/report-results.ts';
import type { Client } from '../support/client.ts';
import { documented } from '../support/documented.ts';
import { sharedServer } from '../support/server.ts';
import { BROKEN_RESPONSE, factsOf, fetchReport, KINDS, resultsOfVerdict, UNJUDGED } from './clients.ts';
import { conformance, differs, EACH } from './each.ts';

const server = await sharedServer();

/** What a terminal obeys, beside the ends of lines. */
const OBEYED = /[\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]|[^\P{Cc}\n]/u;

async function linesAfter(act: (client: Client) => Promise<unknown>): Promise<string[]> {
  const client = await server.sandbox();
  await act(client);
  return render(reportResults(await factsOf(client)), { listed: ['skipped'] }).split('\n');
}

describe('the text form', () => {
  it('is a few lines: what was not tested, and the verdict', async () => {
    const lines = await linesAfter((client) => client.get('/v1/pets'));
    expect(lines.filter((line) => line.startsWith('- '))).toHaveLength(documented.length - 1);
    expect(lines.join(' ').replaceAll(/ +/g, ' ')).toMatch(
      / - getPet response 404: [^()]* \(404 not tested: ask for an id that no pet has\) /,
    );
    expect(lines.at(-1)).toBe(
      `✓ contract check passed (1 request validated, 1 of ${documented.length} documented responses seen)`,
    );
  });

  it('says what is not known, and what is the sandbox’s own fault', async () => {
    expect((await linesAfter(async () => undefined)).at(-1)).toMatch(
      /^\? contract check incomplete: no request was seen \(/,
    );
    expect(render(resultsOfVerdict(UNJUDGED), {})).toMatch(
      /^· listPets: not validated: the validator <broke>, 1 × \(req_one\)\n\? contract check incomplete: 1 request could not be validated: the validator <broke>\n/,
    );
    expect(render(resultsOfVerdict(BROKEN_RESPONSE), {})).toMatch(
      /^\? listPets {2}body\/0\/name {2}must be string \(a bug of the sandbox, not of the client\) +1× {2}req_one\n/,
    );
  });

  it('holds nothing that a terminal obeys', async () => {
    const client = await server.sandbox();
    await KINDS['sends hostile text']?.(client);
    const { headers, text } = await fetchReport(client, 'text');
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    for (const escaped of ['\\u001b[31mred', '\\u202egnp.exe', 'half \\ud800 of a \\udc00 pair, and \\ufffe \\uffff'])
      expect(text).toContain(escaped);
    expect(text).not.toMatch(OBEYED);
    for (const results of Object.values(EACH)) {
      const all = { listed: ['passed', 'failed', 'error', 'skipped', 'accepted'], full: true } as const;
      expect(render(results, all)).not.toMatch(OBEYED);
      expect(await inFormat('json', results)).not.toMatch(OBEYED);
    }
  });

  it('shows each drill in its state, and what is accepted only where that is listed', () => {
    const signs = render(EACH.drills, {}).match(/^[✓✗?~] \w+:/gmu);
    expect(signs).toEqual(['✓ passes:', '✗ fails:', '? unsure:', '~ known:', '✗ stale:']);
    expect(render(EACH.drills, {})).not.toMatch(/^ +~ /m);
    expect(render(EACH.drills, { listed: ['accepted'] })).toMatch(/^ {4}~ There is at most one pet /m);
  });

  it('shows the first five findings of a rule in full, and the others in one line that `conform` reads', () => {
    // The name of every check fits into such a line.
    const results = suite('a-key-of-somebody').map(({ name, rule }) => differs(name, rule));
    const lines = render(conformResults({ ...conformance, results }), {}).split('\n');
    for (const { name, rule } of results) expect(lines).toContain(`✗ ${rule}: ${name}`);
    const rules = new Set(results.map(({ rule }) => rule));
    const inFull = [...rules].map((rule) => Math.min(5, results.filter((result) => result.rule === rule).length));
    expect(lines.filter((line) => line.startsWith('    expected'))).toHaveLength(inFull.reduce((sum, n) => sum + n, 0));
  });
});
