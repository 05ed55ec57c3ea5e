import { describe, expect, it } from 'vitest';
import { printable } from '../../src/client/text.ts';
import { reportLines } from '../../src/report/text.ts';
import type { Client } from '../support/client.ts';
import { documented } from '../support/documented.ts';
import { startTestServer } from '../support/server.ts';
import { BROKEN_RESPONSE, factsOf, KINDS, reportOfVerdict, UNJUDGED } from './clients.ts';

const server = await startTestServer();

/** The lines without ids, which differ from run to run. */
async function linesAfter(act: (client: Client) => Promise<unknown>, strict = false): Promise<string[]> {
  const client = await server.sandbox();
  await act(client);
  return reportLines(await factsOf(client, strict)).map((line) =>
    line.replaceAll(/req_\w+/g, 'req_…').replace(/[\d,]+ days/, '… days'),
  );
}

/** How to get a documented response. */
const hintFor = (response: string): string =>
  ({
    400: 'send a body that lacks a required field, or has an invalid value',
    401: 'use a key of this sandbox that has expired or was revoked: SANDBOX_REVOKED_KEY in exec, revokedKey() in a test',
    404: 'ask for an id that no pet has',
  })[response.split(' ')[1] as string] ?? 'call it once with a valid request';

describe('the text form', () => {
  it('is a few lines: the verdict, what was tried, and what never was', async () => {
    expect(await linesAfter((client) => client.get('/v1/pets'))).toEqual([
      'contract check passed',
      `  1 request, 1 of ${documented.length} documented responses seen`,
      ...documented
        .filter((response) => response !== 'listPets 200')
        .map((response) => `  never seen: ${response} (${hintFor(response)})`),
    ]);
  });

  it('names each finding with its first request', async () => {
    const lines = await linesAfter(async (client) => {
      await client.get('/v1/pets?limit=500');
      await client.get('/v1/pets?limit=500');
      await client.get('/v1/pets?limti=5', { 'Sandbox-Fault': 'status=503' });
      await KINDS['rounds integers']?.(client);
    }, true);
    expect(
      lines.slice(
        0,
        lines.findIndex((line) => line.includes('documented responses seen')),
      ),
    ).toEqual([
      'contract check failed (strict): 2 violations of the specification; 2 large integers came back rounded; 1 warning; 1 use of a deprecated operation',
      '  listPets violation: query/limit: Request query parameter limit must be <= 100 (req_… and 1 more)',
      '    GET /v1/pets?limit=500 → 400',
      '    Send limit=100 instead of limit=500',
      '  createPet violation: body/categoryId: the client was given 9007199254740993 and came back with 9.007199254740992E+15: it reads int64 into a double (req_…)',
      '    POST /v1/pets → 201',
      '    Send "categoryId":9007199254740993 instead of "categoryId":9007199254740992',
      '  getPet violation: path/petId: the client was given 9007199254740993 and came back with 9007199254740992: it reads int64 into a double (req_…)',
      '    GET /v1/pets/9007199254740992 → 404',
      '    Send /v1/pets/9007199254740993 instead of /v1/pets/9007199254740992',
      '  listPets warning: query/limti: unknown parameter `limti`; did you mean `limit`? (req_…)',
      '    GET /v1/pets?limti=5 → 503',
      '    Send limit=5 instead of limti=5',
      "  getPet warning: operation: getPet is deprecated and will be removed on 2030-12-05; … days are left by the sandbox's clock (req_…)",
      '    GET /v1/pets/9007199254740992 → 404',
      '    Send GET /v1/pets?status=available instead of GET /v1/pets/9007199254740992',
      '  listPets injected fault: status=503 (req_…)',
    ]);
  });

  it('says what is not known, and what is the sandbox’s own fault', async () => {
    expect((await linesAfter(async () => undefined))[0]).toBe('contract check incomplete: no request was seen');
    expect(reportLines(reportOfVerdict(UNJUDGED)).slice(0, 2)).toEqual([
      'contract check incomplete: the validator failed on 1 exchange',
      '  listPets not validated: the validator <broke> (req_one)',
    ]);
    expect(reportLines(reportOfVerdict(BROKEN_RESPONSE))[1]).toBe(
      "  listPets the sandbox's own fault: body/0/name: Response body property 0.name must be string (a bug of the sandbox, not of the client) (req_one)",
    );
  });

  it('holds nothing that a terminal obeys once it is made printable', async () => {
    const lines = (await linesAfter((client) => KINDS['sends hostile text']?.(client) as Promise<unknown>)).map(
      printable,
    );
    expect(lines.join('')).toContain('\\u001b[31mred');
    expect(lines.join('')).toContain('\\u202egnp.exe');
    expect(lines.join('')).toContain('half \\ud800 of a \\udc00 pair, and \\ufffe \\uffff');
    expect(lines.join('')).not.toMatch(/[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/u);
  });
});
