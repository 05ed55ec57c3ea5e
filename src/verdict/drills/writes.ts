/** Drills about complete writes and reads: nothing twice, nothing halfway. */

import { pathOfTarget } from '../../base/address.ts';
import type { Exchange } from '../../base/api/exchange.ts';
import { readDecimal } from '../../base/int64.ts';
import { counted } from '../../base/text.ts';
import { Attempts } from '../../traffic/attempts.ts';
import { isFaulted, metFault, of, waits } from './attempts.ts';
import { type Check, type Drill, type DrillRun, type Grade, graded, NO_OUTCOME, skipped, undecided } from './drill.ts';

const onePet: Check = {
  id: 'one-pet',
  level: 'must',
  title: 'There is at most one pet of that name.',
  source: 'RFC 9110, section 9.2.2',
  fix: "Never retry a POST automatically. List the pets and create the pet again only if it's missing, or report failure.",
  grade: ({ exchanges, petsOfName }) => {
    const creates = of(exchanges, 'createPet');
    const isHarmless = petsOfName.length <= 1;
    if (isHarmless && !creates.some(isFaulted)) return undecided('no request met the fault');
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

/** The body of a rejected request must not come again. */
export const notRepeated = (source: string): Check => ({
  id: 'not-repeated',
  level: 'must',
  title: "The client doesn't send the same body again.",
  source,
  fix: 'Never retry a 4xx other than 408 and 429.',
  grade: ({ exchanges }) => {
    const creates = of(exchanges, 'createPet');
    if (!creates.some(isFaulted)) return undecided('no request met the fault');
    const attempts = new Attempts();
    const bodies = creates.map((each) => attempts.bodyOf(each));
    const again = creates.filter((_, i) => bodies.indexOf(bodies[i] as string) < i);
    return graded(again.length === 0, {
      words: again.length === 0 ? 'no body came twice' : `the same body came ${again.length + 1} times`,
      measured: counted(again.length, 'repeat'),
      expected: 'none',
      exchanges: again.length === 0 ? creates.slice(0, 1) : creates,
    });
  },
});

const exactId: Check = {
  id: 'exact-id',
  level: 'must',
  title: 'The id comes back with every digit.',
  source: 'OpenAPI Format Registry, int64; RFC 8259, section 6',
  fix: 'Read ids as text or as 64-bit integers. JSON.parse rounds them.',
  grade: ({ exchanges, petId, outcome }) => {
    const gets = of(exchanges, 'getPet');
    if (gets.length === 0) return givenBack(of(exchanges, 'listPets'), petId, outcome);
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

/** A client that finds the pet in the list needs no request for it: then its result shows the id. */
function givenBack(lists: readonly Exchange[], petId: bigint | undefined, outcome: DrillRun['outcome']): Grade {
  if (lists.length === 0) return undecided('the client listed no pets');
  if (!outcome) return NO_OUTCOME;
  if (!outcome.success) return skipped('the client reported failure');
  const isExact = outcome.missing === null;
  return graded(isExact, {
    words: isExact
      ? 'the pet of the list was given back with its id'
      : `the client did not give back ${outcome.missing}`,
    measured: isExact ? String(petId) : 'another id',
    expected: String(petId),
    exchanges: lists,
  });
}

const lastSegment = (target: string): string => pathOfTarget(target).split('/').at(-1) as string;

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
    checks: [onePet],
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
    checks: [waits('createPet', 2000, 'RFC 6585, section 4'), onePet],
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
    checks: [],
  },
  {
    ...create,
    id: 'long-ids',
    title: 'The ids of the pets are larger than 2^53.',
    task: 'list-and-get',
    fixture: 'boundary',
    faults: [],
    petId: -9_007_199_254_740_993n,
    isMet: ({ exchanges }) => of(exchanges, 'listPets', 'getPet').length > 0,
    checks: [exactId],
  },
];
