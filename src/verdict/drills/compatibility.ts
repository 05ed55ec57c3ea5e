/** Drills about the next version of the service: the client survives it. */
import { removalOf } from '../../base/api/specification.ts';
import { metFault, of } from './attempts.ts';
import { atMost, type Check, type Drill, graded, NO_OUTCOME } from './drill.ts';
import { notRepeated } from './writes.ts';

const ADDED_MEMBER = 'JSON Schema 2020-12, section 10.3.2.3; RFC 8259, section 4';

const stopsAtGone = atMost(2, 'got a 410', (exchanges) => exchanges.filter(({ response }) => response.status === 410), {
  id: 'stops',
  level: 'must',
  title: 'At most 2 requests go to the removed operation.',
  source: 'RFC 9110, section 15.5.11; RFC 8594, section 3',
  fix: "Don't retry a 410. Read the headers Sunset and Link in time, and switch to GET /pets.",
});

const noGetPet = atMost(0, 'used getPet', (exchanges) => of(exchanges, 'getPet'), {
  id: 'no-get-pet',
  level: 'should',
  title: "The client doesn't use getPet, which is deprecated.",
  source: 'RFC 8594, section 3; RFC 9745, section 2',
  fix: 'Use GET /pets.',
});

/** What the client has to say of its task. */
const reports = (wanted: 'success' | 'failure', check: Omit<Check, 'grade'>): Check => ({
  ...check,
  grade: ({ exchanges, outcome }) => {
    if (!outcome) return NO_OUTCOME;
    const says = outcome.crashed ? 'nothing' : outcome.success ? 'success' : 'failure';
    return graded(says === wanted, {
      words: outcome.crashed ? 'the client crashed' : `the client reported ${says}`,
      measured: says,
      expected: wanted,
      exchanges,
    });
  },
});

const succeeds = (level: Check['level'], source: string, fix: string): Check =>
  reports('success', { id: 'succeeds', level, title: 'The client reports success.', source, fix });

const noCrash = reports('failure', {
  id: 'no-crash',
  level: 'should',
  title: "The client reports failure and doesn't crash.",
  source: 'RFC 9110, section 15.5.21',
  fix: 'Decide by the status, and show an unknown code as is.',
});

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
