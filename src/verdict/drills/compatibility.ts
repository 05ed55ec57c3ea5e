/** Drills about the next version of the service: the client survives it. */
import { removalOf } from '../../base/api/specification.ts';
import { counted } from '../../base/text.ts';
import { isFaulted, metFault, of } from './attempts.ts';
import { atMost, type Check, type Drill, graded, NO_OUTCOME, undecided } from './drill.ts';
import { notRepeated } from './writes.ts';

const ADDED_MEMBER = 'JSON Schema 2020-12, section 10.3.2.3; RFC 8259, section 4';

const stopsAtGone = atMost(2, 'got a 410', (exchanges) => exchanges.filter(({ response }) => response.status === 410), {
  id: 'stops',
  level: 'must',
  title: 'At most 2 requests go to the removed operation.',
  source: 'RFC 9110, section 15.5.11; RFC 8594, section 3',
  fix: "Don't retry a 410. Read the headers Sunset and Link in time, and switch to GET /pets.",
});

const noGetPet: Check = {
  id: 'no-get-pet',
  level: 'should',
  title: "The client doesn't use getPet, which is deprecated.",
  source: 'RFC 8594, section 3; RFC 9745, section 2',
  fix: 'Use GET /pets.',
  grade: ({ exchanges, outcome }) => {
    const gets = of(exchanges, 'getPet');
    if (gets.length === 0 && !outcome) return undecided('no request has used it so far');
    return graded(gets.length === 0, {
      words: gets.length === 0 ? 'no request used getPet' : `${counted(gets.length, 'request')} used getPet`,
      measured: String(gets.length),
      expected: 'none',
      exchanges: gets,
    });
  },
};

const succeeds = (level: Check['level'], source: string, fix: string): Check => ({
  id: 'succeeds',
  level,
  title: 'The client reports success.',
  source,
  fix,
  grade: ({ exchanges, outcome }) => {
    if (!outcome) return NO_OUTCOME;
    const says = outcome.success ? 'success' : 'failure';
    return graded(outcome.success, {
      words: `the client reported ${says}`,
      measured: says,
      expected: 'success',
      exchanges,
    });
  },
});

const noCrash: Check = {
  id: 'no-crash',
  level: 'should',
  title: "The client reports failure and doesn't crash.",
  source: 'RFC 9110, section 15.5.21',
  fix: 'Decide by the status, and show an unknown code as is.',
  grade: ({ exchanges, outcome }) => {
    if (!outcome) return NO_OUTCOME;
    const says = outcome.crashed ? 'nothing' : outcome.success ? 'success' : 'failure';
    return graded(says === 'failure', {
      words: outcome.crashed ? 'the client crashed' : `the client reported ${says}`,
      measured: says,
      expected: 'failure',
      exchanges: exchanges.filter(isFaulted),
    });
  },
};

const lasts = { group: 'compatibility', times: 1, fixture: 'default', faults: [], isMet: metFault } as const;
const metAnything: Drill['isMet'] = ({ exchanges }) => exchanges.length > 0;

export const compatibility: readonly Drill[] = [
  {
    ...lasts,
    id: 'removed-operation',
    title: "It's the day getPet is removed.",
    task: 'get',
    clockAt: removalOf('getPet') as number,
    petId: 2n,
    isMet: metAnything,
    checks: [
      stopsAtGone,
      succeeds('should', 'RFC 8594, section 3', 'Find the pet in GET /pets, which replaces getPet.'),
    ],
  },
  {
    ...lasts,
    id: 'deprecated-operation',
    title: 'Nothing goes wrong: the client lists, creates and gets a pet.',
    task: 'all',
    petId: 2n,
    isMet: metAnything,
    checks: [noGetPet],
  },
  {
    ...lasts,
    id: 'new-field',
    title: 'Every list has one more field in each pet, another order of fields, and white space.',
    task: 'list',
    faults: [{ operation: 'listPets', vary: ['field', 'order', 'space'] }],
    checks: [succeeds('must', ADDED_MEMBER, 'Ignore unknown fields; never compare JSON as text.')],
  },
  {
    ...lasts,
    id: 'new-status',
    title: 'Every list has a pet of the status reserved.',
    task: 'list',
    faults: [{ operation: 'listPets', vary: ['status'] }],
    checks: [succeeds('should', 'Google AIP-180, Backwards compatibility', 'Handle unknown values of enumerations.')],
  },
  {
    ...lasts,
    id: 'new-error',
    title: 'Every create gets a 422 with an unknown code and one more field.',
    task: 'create',
    faults: [{ operation: 'createPet', status: 422, vary: ['field', 'code'] }],
    checks: [notRepeated('RFC 9110, section 15.5.21'), noCrash],
  },
];
