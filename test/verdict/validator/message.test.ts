import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Key, VerdictCache } from '../../../src/verdict/validator/known-verdicts.ts';
import { decodeInput, encodeInput } from '../../../src/verdict/validator/message.ts';
import { getPet } from '../../support/exchanges.ts';

const text = fc.string().map((each) => each.replaceAll('\n', ' '));
const header = fc.option(text, { nil: undefined });

test('what is posted comes out as it went in, and says apart what differs', () => {
  const request = fc.record({
    method: fc.constantFrom('GET', 'POST'),
    target: fc.webPath().map((path) => `/v1${path}`),
    authorization: header,
    contentType: header,
    bodyBytes: fc.nat(),
    body: fc.option(fc.string({ unit: 'binary' }), { nil: undefined }),
    bodyUnread: fc.boolean(),
  });
  const response = fc.record({ status: fc.integer({ min: 100, max: 599 }), contentType: header, body: fc.string() });
  fc.assert(
    fc.property(request, response, (asked, said) => {
      const sent = { request: asked, response: said };
      const received = decodeInput(encodeInput({ ...getPet(), ...sent }));
      expect(received).toEqual({ operation: 'getPet', ...sent });
    }),
  );
});

const verdict = { violations: [], warnings: [] };
const key = (target: string, body = ''): Key => getPet('', { response: { body }, request: { target } });

test('the memory drops everything when it is full, and starts over', () => {
  const memory = new VerdictCache();
  for (let index = 0; index < 10_000; index += 1) memory.set(key(`${index}`), verdict);
  expect(memory.get(key('0'))).toBeUndefined();
  expect(memory.get(key('9999'))).toBe(verdict);
  memory.set(key('9999', 'other'), verdict);
  expect(memory.get(key('9999'))).toBeUndefined();
});

test('the memory holds long inputs by their length, and the longest not at all', () => {
  const memory = new VerdictCache();
  const long = 'x'.repeat(16_000);
  for (let index = 0; index < 1_000; index += 1) memory.set(key(`${index}`, long), verdict);
  let kept = 0;
  for (let index = 0; index < 1_000; index += 1) if (memory.get(key(`${index}`, long))) kept += 1;
  expect(kept).toBeGreaterThan(50);
  expect(kept * 16_000).toBeLessThanOrEqual(2 * 1024 * 1024);
  memory.set(key('y', 'x'.repeat(17_000)), verdict);
  expect(memory.get(key('y', 'x'.repeat(17_000)))).toBeUndefined();
});

test('the memory takes no two inputs for one that differ in a single field', () => {
  const asked = { method: 'HEAD', target: '/v1/pets/2', authorization: undefined, contentType: 'text/plain', body: '' };
  const said = { status: 404, contentType: undefined, body: '{}' };
  const others = [
    ...Object.entries({ ...asked, bodyBytes: 1, bodyUnread: true }).map(([name, value]) => ({
      request: { [name]: value },
    })),
    ...Object.entries(said).map(([name, value]) => ({ response: { [name]: value } })),
    { operation: 'listPets' },
  ];
  const memory = new VerdictCache();
  memory.set(getPet(1), verdict);
  expect(memory.get(getPet(1))).toBe(verdict);
  for (const other of others) expect([other, memory.get(getPet(1, other))]).toEqual([other, undefined]);
});
