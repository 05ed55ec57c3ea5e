/** Drills about safety: nothing twice, nothing half. */
import { counted } from '../client/text.ts';
import { readDecimal } from '../core/int64.ts';
import { isFaulted, metFault, NO_OUTCOME, of, succeeded, waits } from './attempts.ts';
import { type Check, type Drill, graded, open, skipped } from './drill.ts';

const onePet: Check = {
  id: 'one-pet',
  level: 'must',
  title: 'There is at most one pet of that name.',
  source: 'RFC 9110, section 9.2.2',
  grade: ({ exchanges, petsOfName }) => {
    const creates = of(exchanges, 'createPet');
    const isHarmless = petsOfName.length <= 1;
    if (isHarmless && !creates.some(isFaulted)) return open('no request met the fault');
    return graded(isHarmless, {
      words: isHarmless
        ? 'no pet was created twice'
        : `${petsOfName.length} pets have the name: the client repeated a create that had happened`,
      measured: String(petsOfName.length),
      expected: 'at most 1',
      exchanges: creates.filter(({ changes: effect }) => effect.created.length > 0),
    });
  },
};

const looked: Check = {
  id: 'looked',
  level: 'should',
  title: 'The client lists or gets the pets before it says success.',
  source: 'RFC 9110, section 9.2.2',
  grade: ({ exchanges, outcome }) => {
    const lost = exchanges.find(isFaulted);
    if (!lost) return open('no request met the fault');
    if (!outcome) return NO_OUTCOME;
    if (!outcome.success) return skipped('the client said failure');
    const looks = of(exchanges, 'listPets', 'getPet').filter((each) => each.at >= lost.at && succeeded(each));
    return graded(looks.length > 0, {
      words: looks.length > 0 ? 'the client looked' : 'the client said success without a look',
      measured: counted(looks.length, 'look'),
      expected: 'at least 1 look',
      exchanges: looks.length > 0 ? looks : [lost],
    });
  },
};

const oneIfSuccess: Check = {
  id: 'one-if-success',
  level: 'must',
  title: 'There is exactly one pet of that name where the client says success.',
  source: 'RFC 6585, section 4',
  grade: ({ exchanges, petsOfName, outcome }) => {
    if (!outcome) return NO_OUTCOME;
    if (!outcome.success) return skipped('the client said failure');
    return graded(petsOfName.length === 1, {
      words: `the client said success with ${counted(petsOfName.length, 'pet')} of the name`,
      measured: String(petsOfName.length),
      expected: 'exactly 1',
      exchanges: of(exchanges, 'createPet'),
    });
  },
};

/** The body of a rejected request must not come again. */
export const notRepeated = (source: string): Check => ({
  id: 'not-repeated',
  level: 'must',
  title: 'The client does not send the same body again.',
  source,
  grade: ({ exchanges }) => {
    const creates = of(exchanges, 'createPet');
    if (!creates.some(isFaulted)) return open('no request met the fault');
    const bodies = creates.map(({ request }) => request.body);
    const again = creates.filter((_, i) => bodies.indexOf(bodies[i]) < i);
    return graded(again.length === 0, {
      words: again.length === 0 ? 'no body came twice' : `the same body came ${again.length + 1} times`,
      measured: counted(again.length, 'repeat'),
      expected: 'none',
      exchanges: again.length === 0 ? creates.slice(0, 1) : creates,
    });
  },
});

const wholeList: Check = {
  id: 'whole-list',
  level: 'must',
  title: 'The client does not take the cut response for a success.',
  source: 'RFC 9112, section 8',
  grade: ({ exchanges, outcome }) => {
    const lists = of(exchanges, 'listPets');
    const truncated = lists.find(isFaulted);
    if (!truncated) return open('no request met the fault');
    if (!outcome) return NO_OUTCOME;
    const whole = lists.filter((each) => each.at >= truncated.at && succeeded(each));
    return graded(!outcome.success || whole.length > 0, {
      words: outcome.success
        ? `the client said success after ${counted(whole.length, 'whole list')}`
        : 'the client said failure',
      measured: counted(whole.length, 'whole list'),
      expected: 'one, or failure',
      exchanges: [truncated, ...whole],
    });
  },
};

const exactId: Check = {
  id: 'exact-id',
  level: 'must',
  title: 'The id comes back digit by digit.',
  source: 'OpenAPI Format Registry, int64; RFC 8259, section 6',
  grade: ({ exchanges, petId }) => {
    const gets = of(exchanges, 'getPet');
    if (gets.length === 0) return open('the client got no pet by its id');
    const ids = gets.map(({ request }) => lastSegment(request.target));
    const wrong = gets.filter((_, i) => readDecimal(ids[i] as string) !== petId);
    const measured = ids[wrong.length === 0 ? 0 : gets.indexOf(wrong[0] as (typeof gets)[number])] as string;
    return graded(wrong.length === 0, {
      words: wrong.length === 0 ? 'the id came back as it was' : 'the id came back rounded or changed',
      measured,
      expected: String(petId),
      exchanges: wrong.length === 0 ? gets : wrong,
    });
  },
};

const lastSegment = (target: string): string => (target.split('?')[0] as string).split('/').at(-1) as string;

const create = { group: 'writes', task: 'create', times: 1, fixture: 'default', isMet: metFault } as const;
const happensFirst = { operation: 'createPet', when: 'after', times: 1 } as const;

/** How long a hanging response takes, in milliseconds. */
export const HANG_MS = 60_000;

export const writes: readonly Drill[] = [
  {
    ...create,
    id: 'lost-create',
    title: 'The pet is created, and the connection is reset before the response.',
    faults: [{ ...happensFirst, connection: 'reset' }],
    checks: [onePet, looked],
  },
  {
    ...create,
    id: 'create-503',
    title: 'The pet is created, and the response is a 503.',
    faults: [{ ...happensFirst, status: 503 }],
    checks: [onePet],
  },
  {
    ...create,
    id: 'slow-create',
    title: 'The pet is created, and the response comes after 60 seconds.',
    faults: [{ ...happensFirst, delayMs: HANG_MS }],
    checks: [onePet],
  },
  {
    ...create,
    id: 'busy-create',
    title: 'The first create gets a 429 with Retry-After of 2 seconds, and creates nothing.',
    faults: [{ operation: 'createPet', status: 429, retryAfter: 2, times: 1 }],
    checks: [waits('createPet', 2000, 'RFC 6585, section 4'), oneIfSuccess],
  },
  {
    ...create,
    id: 'rejected-create',
    title: 'Every create gets a 400.',
    faults: [{ operation: 'createPet', status: 400 }],
    checks: [notRepeated('RFC 9110, section 15.5.1')],
  },
  {
    ...create,
    id: 'truncated-list',
    title: 'The first list breaks off in the middle.',
    task: 'list',
    faults: [{ operation: 'listPets', connection: 'truncate', times: 1 }],
    checks: [wholeList],
  },
  {
    ...create,
    id: 'long-ids',
    title: 'The ids of the pets are beyond 2^53.',
    task: 'list-and-get',
    fixture: 'boundary',
    faults: [],
    petId: -9_007_199_254_740_993n,
    isMet: ({ exchanges }) => of(exchanges, 'getPet').length > 0,
    checks: [exactId],
  },
];
