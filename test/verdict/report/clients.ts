/** Clients of many kinds, and the reports that come of them. */

import type { Verdict } from '../../../src/base/api/exchange.ts';
import { Tally } from '../../../src/traffic/tally.ts';
import type { Finding, FindingKind } from '../../../src/verdict/report/kinds.ts';
import { type Report, reportOf } from '../../../src/verdict/report/report.ts';
import { reportResults } from '../../../src/verdict/report/report-results.ts';
import type { Results } from '../../../src/verdict/report/results.ts';
import type { Client } from '../../support/client.ts';
import { documentedRequests } from '../../support/documented.ts';
import { listPets } from '../../support/exchanges.ts';
import { texts } from '../../support/texts.ts';

/** The report of a client's sandbox. @throws {Error} unless it comes with 200 */
export async function factsOf(client: Client, strict = false): Promise<Report> {
  const { status, text, json } = await client.get(`/_sandbox/report?strict=${strict}`);
  if (status !== 200) throw new Error(`the report came as ${status}: ${text}`);
  return json;
}

/** The findings of these kinds. */
export const foundAs = ({ findings }: Report, ...kinds: FindingKind[]): Finding[] =>
  findings.filter(({ kind }) => kinds.includes(kind));

/** A second key of the client's sandbox that opens it no more. */
export async function revokedKey(client: Client): Promise<string> {
  const { id, key } = (await client.post('/_sandbox/keys', { shared: true })).json;
  await client.delete(`/_sandbox/keys/${id}`);
  return key;
}

/** Texts that do harm if a page or a terminal shows them unescaped. */
export const HOSTILE: readonly string[] = texts(
  '<script>alert(1)</script> | <img src=x onerror=alert(1)> | " onmouseover="alert(1)',
  "' autofocus onfocus='alert(1)",
  '&lt;b&gt;&#0;&amp | ]]>]]&gt;<![CDATA[ | <!-- --> <?xml ?> <!DOCTYPE x>',
  '[click](javascript:alert(1)) | \\[click](https://example.com) [a][b] {0} {{1}}',
  '\u001b[31mred\u001b]8;;https://example.com\u0007link\u001b]8;;\u0007 \u009b2J \u007f\b\r\n\t\u0000',
  '\u202egnp.exe\u202c \u2066x\u2069 \u200f\u061c \u2028 \u2029 \ufeff',
  'half \ud800 of a \udc00 pair, and \ufffe \uffff | a family 👨‍👩‍👧 and 猫',
);

/** What each kind of client does. */
export const KINDS: Readonly<Record<string, (client: Client) => Promise<unknown>>> = {
  'sends nothing': async () => undefined,
  'passes the contract check': async (client) => {
    await client.get('/v1/pets?limit=2&status=available');
    await client.post('/v1/pets', { name: 'Rex', categoryId: 1 });
  },
  'sees every documented response': async (client) => {
    const Authorization = `Bearer ${await revokedKey(client)}`;
    for (const { status, request } of documentedRequests()) {
      const { headers } = request;
      const declared = { ...headers, ...(status >= 400 && { 'Sandbox-Expect': 'invalid' }) };
      await client.send({ ...request, headers: status === 401 ? { ...declared, Authorization } : declared });
    }
  },
  'gets warnings': async (client) => {
    await client.get('/v1/pets?limti=3&LIMIT=500');
    await client.post('/v1/pets', { name: 'Rex', categoryId: 1, catgoryId: 2 });
    await client.get('/v1/pets/1');
  },
  'breaks the specification': async (client) => {
    for (let i = 0; i < 12; i++) await client.get('/v1/pets?limit=500');
    await client.get('/v1/pets?limit=0&status=lost');
    await client.get('/v1/pets?limit=ten');
    for (const body of ['{"name":"Rex"}', '{"name":1,"categoryId":"1","status":"dead"}', '[]', '{', '']) {
      await client.post('/v1/pets', body);
    }
    await client.send({ method: 'POST', path: '/v1/pets' });
    await client.post('/v1/pets', 'name=Rex', { 'Content-Type': 'application/x-www-form-urlencoded' });
    await client.get('/v1/pets/abc');
  },
  'rounds integers': async (client) => {
    await client.post('/_sandbox/reset', { fixture: 'boundary' });
    await client.get('/v1/pets?limit=100');
    await client.post('/v1/pets', '{"name":"Rex","categoryId":9007199254740993}');
    await client.post('/v1/pets', '{"name":"Rex","categoryId":9.007199254740992E+15}');
    await client.get('/v1/pets/-9007199254740992');
  },
  'asks for faults': async (client) => {
    await client.get('/v1/pets', { 'Sandbox-Fault': 'status=503; when=after' });
    await client.get('/v1/pets', { 'Sandbox-Fault': 'connection=reset' }).catch(() => undefined);
    await client.get('/v1/pets', { 'Sandbox-Fault': 'status=401' });
  },
  'goes astray': async (client) => {
    await client.get('/v1/nothing');
    await client.get('/v1/store/orders');
    await client.delete('/v1/pets');
    await client.send({ method: 'HEAD', path: '/v1/pets' });
  },
  'has behavior warnings': async (client) => {
    await client.get('/v1/pets', { 'Sandbox-Fault': 'status=429; retryAfter=60' });
    await client.get('/v1/pets');
    await client.post('/v1/pets', { name: 'Rex' });
    await client.post('/v1/pets', { name: 'Rex' });
    await client.post('/v1/pets', { name: 'Tom', categoryId: 1 }, { 'Sandbox-Fault': 'status=503; when=after' });
    await client.post('/v1/pets', { name: 'Tom', categoryId: 1 });
    const Authorization = `Bearer ${await revokedKey(client)}`;
    for (let i = 0; i < 12; i++) await client.get('/v1/pets?limit=1', { Authorization });
  },
  'sends hostile text': async (client) => {
    for (const text of HOSTILE) {
      await client.post('/v1/pets', { name: text, categoryId: 1, status: text, [text]: text });
      if (!/\p{Cs}/u.test(text))
        await client.get(`/v1/pets?${encodeURIComponent(text)}=1&status=${encodeURIComponent(text)}`);
      if (!/\p{Cs}/u.test(text)) await client.get(`/v1/pets/${encodeURIComponent(text)}`);
    }
    for (const type of texts(
      'text/<script> | a]]>/[x](javascript:alert(1)) | text/\u009b31m" | application/json; charset="<b>"',
    )) {
      await client.send({
        method: 'POST',
        path: '/v1/pets',
        body: '{}',
        headers: ['Host', 'localhost', 'Content-Type', type, 'Content-Length', '2'],
      });
    }
  },
};

/** The report of an exchange for each of these verdicts, which no client can bring about. */
export function reportOfVerdicts(...verdicts: readonly Verdict[]): Report {
  const tally = new Tally();
  for (const verdict of verdicts) tally.add(listPets('', { id: 'req_one', verdict }));
  const sandbox = { id: 'sbx_one', label: null };
  const making = reportOf({
    sandbox,
    tally,
    dropped: { requests: 0, failures: 0 },
    since: 0,
    strict: false,
    gaps: [],
    now: 1_000,
    sandboxNow: 1_000,
  });
  for (;;) {
    const { done, value } = making.next();
    if (done) return value;
  }
}

export const resultsOfVerdicts = (...verdicts: readonly Verdict[]): Results =>
  reportResults(reportOfVerdicts(...verdicts));

/** A response of the sandbox that breaks the specification. */
export const BROKEN_RESPONSE: Verdict = {
  violations: [
    {
      side: 'response',
      location: 'body/0/name',
      pointer: '#/components/schemas/Pet/properties/name/type',
      rule: 'type',
      message: 'is a string',
    },
  ],
  warnings: [],
};

export const UNJUDGED: Verdict = { violations: [], warnings: [], validationError: 'the validator <broke>' };
