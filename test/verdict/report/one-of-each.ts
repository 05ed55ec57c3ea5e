/** Results with one of everything that a format can meet, made up: the formats are held to these, and no kind of results is. */

import { accountOf } from '../../../src/traffic/account.ts';
import type { Item, ResultFinding, Results, Status } from '../../../src/verdict/report/results.ts';

/** What each format has to escape. */
const TEXT = 'a|b `c` <d> "e" {0} [f](g) @h #1 100%';
const pointer = '#/paths/~1pets/get/parameters/0';
const correction = { sent: 'limit=500', send: 'limit=100', advice: 'A list has at most 100 pets.' };

const finding = (rule: string, more: Partial<ResultFinding> = {}): ResultFinding => ({
  ...{ heading: 'Broken', level: 'error', subject: 'listPets', message: `${rule} is broken` },
  ...{ rule, pointer, ...more },
});

const item = (status: Status, ...findings: ResultFinding[]): Item => ({ name: `what ${status}`, status, findings });

const request = (id: string, second: number, more: object): never =>
  ({
    ...{ id, at: `2026-11-22T10:00:0${second}.000Z`, respondedAt: `2026-11-22T10:00:0${second}.250Z`, delayMs: 0 },
    ...{
      method: 'POST',
      operation: 'createPet',
      status: 201,
      changes: null,
      injectedFault: null,
      disconnectedAt: null,
    },
    ...more,
  }) as never;

export const ONE_OF_EACH: Results = {
  ...{ kind: 'everything', verdict: 'fail', title: 'check failed (strict)', reasons: ['2 failed', TEXT] },
  account: accountOf([
    { kind: 'validated', count: 1_200 },
    { kind: 'notValidated', count: 2, reason: 'the queue was full' },
  ]),
  ...{ figures: ['3 warnings', TEXT], about: ['https://example.com/v1', TEXT], data: { id: 1n, text: TEXT } },
  ...{ startedAt: '2026-11-22T10:00:00.000Z', endedAt: '2026-11-22T10:00:09.000Z' },
  headings: ['Broken', 'To look at', 'Nothing is below this one'],
  groups: [
    {
      name: 'listPets',
      items: [
        { name: 'a response', status: 'passed' },
        item(
          'failed',
          finding('maximum', {
            ...{ location: 'query/limit', message: 'is at most 100', correction },
            ...{ sample: { request: 'GET /v1/pets?limit=500 → 400', sent: 'limit=500' }, fix: 'Send limit=100.' },
            requests: {
              count: 1_200,
              ids: ['req_1', 'req_2'],
              last: 'req_9',
              lines: ['req_1 a line', 'req_9 another'],
            },
          }),
          finding('maximum', { location: 'query/limit', correction, summary: 'the same in every run' }),
          finding('operation', {
            location: 'operation',
            requests: { count: 2, ids: ['req_3', 'req_4'], last: 'req_4' },
          }),
          finding('behavior', { location: 'behavior' }),
          finding('text', { subject: TEXT, location: TEXT, message: TEXT, sample: { got: TEXT }, fix: TEXT }),
        ),
        item('warned', finding('hint', { heading: 'To look at', level: 'warning' })),
        item(
          'accepted',
          finding('known', { level: 'note', accepted: 'known', sample: { expected: '2', source: 'RFC 9110' } }),
        ),
        { name: `skipped ${TEXT}`, status: 'skipped', remarks: ['nothing to do', TEXT] },
        { name: 'accepted without a finding', status: 'accepted', remarks: ['on purpose'] },
      ],
    },
    {
      ...{ name: 'a drill', summary: 'too many pets', about: 'The connection is reset.' },
      items: [
        item('failed', finding('at-most-one', { message: 'too many pets' })),
        { name: 'undecided', status: 'error', remarks: [TEXT] },
        { name: 'failed without a finding', status: 'failed', remarks: ['nobody knows'] },
      ],
      timeline: [
        request('req_5', 1, { changes: { created: ['13'] }, injectedFault: { connection: 'reset' } }),
        request('req_6', 2, { status: 503, operation: null }),
        request('req_7', 2, { status: 0, disconnectedAt: '2026-11-22T10:00:02.100Z' }),
        request('req_8', 3, { status: 400 }),
      ],
    },
    { name: 'a drill that passed', summary: 'passed', items: [{ name: 'it', status: 'passed' }], timeline: [] },
    {
      name: 'a drill that was skipped',
      summary: 'skipped',
      items: [{ name: 'it', status: 'skipped', remarks: ['later'] }],
    },
  ],
  notes: ['a note', TEXT],
};
