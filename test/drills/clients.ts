/** Clients of a few lines: for each check one that passes it and one that fails it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Crash, type DrillClient, type Task } from './run.ts';

/** Fails where a status is none of success. */
const ok = async (response: Response): Promise<Response> => {
  if (!response.ok) throw new Error(`status ${response.status}`);
  await response.clone().text();
  return response;
};
/** Whether a pet of the name is there. */
const isThere = async ({ list, petName }: Task): Promise<boolean> =>
  (await (await ok(await list())).text()).includes(JSON.stringify(petName));

/** Creates again, whatever happened. */
const createsAgain: DrillClient = async ({ create }) => {
  try {
    await ok(await create());
  } catch {
    await ok(await create());
  }
};
const createsTwo: DrillClient = async (task) => {
  await createsAgain(task);
  await ok(await task.create());
};
/** Looks whether the pet is there before it creates again. */
const looksFirst: DrillClient = async (task) => {
  try {
    await ok(await task.create());
  } catch {
    if (!(await isThere(task))) await ok(await task.create());
  }
};
const ignoresErrors: DrillClient = ({ create }) => create().catch(() => undefined);

const withTimeout = ({ request, petName }: Task) =>
  request('/pets', {
    method: 'POST',
    body: JSON.stringify({ name: petName, categoryId: 1 }),
    signal: AbortSignal.timeout(400),
  });

const listsAgainAfter =
  (ms: number): DrillClient =>
  async ({ list }) => {
    if ((await list()).ok) return;
    await sleep(ms);
    await ok(await list());
  };

/** Tries a list so often, with waits that grow by a factor. */
const backsOff =
  (attempts: number, firstMs: number): DrillClient =>
  async ({ list }) => {
    for (let i = 0; ; i++) {
      const response = await list();
      if (response.ok) return;
      if (i === attempts - 1) throw new Error('it is down');
      await sleep(firstMs * 2 ** i);
    }
  };
const allAtOnce =
  (attempts: number): DrillClient =>
  async ({ list }) => {
    await Promise.all(Array.from({ length: attempts }, () => list()));
    throw new Error('it is down');
  };

/** Shortens the delay of the drill's fault, which is a minute. */
const withShortHang =
  (client: DrillClient): DrillClient =>
  async (task) => {
    await task.controls.delete('/_sandbox/faults');
    await task.controls.post('/_sandbox/faults', { operation: 'listPets', delayMs: 300, times: 1 });
    await client(task);
  };

const flakyLists =
  (tries: number): DrillClient =>
  async ({ list, times }) => {
    for (let i = 0; i < times; i++) {
      let response = await list();
      for (let again = 1; !response.ok && again < tries; again++) {
        await sleep(10 + 40 * ((i * 2 + again) % 5));
        response = await list();
      }
      await ok(response);
    }
  };

const inWaves =
  (staggerMs: number): DrillClient =>
  async ({ list, times }) => {
    await Promise.all(
      Array.from({ length: times }, async (_, i) => {
        if ((await list()).ok) return;
        await sleep(1000 + i * staggerMs);
        await ok(await list());
      }),
    );
  };

/** Lists, finds the pet by its name, and gets it by the id that `read` makes of its text. */
const getsListed =
  (read: (text: string, name: string) => string): DrillClient =>
  async ({ list, request, petName }) => {
    const id = read(await (await ok(await list())).text(), petName);
    await ok(await request(`/pets/${id}`));
  };

const gets =
  (attempts: number): DrillClient =>
  async ({ request, petId }) => {
    for (let i = 0; i < attempts; i++) await request(`/pets/${petId}`);
    throw new Error('it is gone');
  };

const KNOWN = ['id', 'name', 'categoryId', 'status'];
const readsPets =
  (isFine: (pet: Record<string, unknown>) => boolean): DrillClient =>
  async ({ list }) => {
    const pets = (await (await ok(await list())).json()) as Record<string, unknown>[];
    if (!pets.every(isFine)) throw new Error('this is no pet');
  };

/** A row: the drill, what its client does, and what the checks say of it. */
export const CASES: readonly (readonly [drill: string, does: string, DrillClient, Record<string, string>])[] = [
  ['lost-create', 'looks first', looksFirst, { 'one-pet': 'pass', looked: 'pass' }],
  ['lost-create', 'creates again', createsAgain, { 'one-pet': 'fail', looked: 'fail' }],
  ['lost-create', 'says failure', async ({ create }) => create(), { 'one-pet': 'pass', looked: 'skipped' }],
  ['lost-create', 'ignores errors', ignoresErrors, { 'one-pet': 'pass', looked: 'fail' }],
  ['create-503', 'looks first', looksFirst, { 'one-pet': 'pass' }],
  ['create-503', 'creates again', createsAgain, { 'one-pet': 'fail' }],
  [
    'slow-create',
    'looks first',
    (task) => looksFirst({ ...task, create: () => withTimeout(task) }),
    { 'one-pet': 'pass' },
  ],
  [
    'slow-create',
    'creates again',
    (task) => createsAgain({ ...task, create: () => withTimeout(task) }),
    { 'one-pet': 'fail' },
  ],
  [
    'busy-create',
    'waits',
    async ({ create }) => {
      await create();
      await sleep(2000);
      await ok(await create());
    },
    { waited: 'pass', 'one-if-success': 'pass' },
  ],
  ['busy-create', 'does not wait', createsAgain, { waited: 'fail', 'one-if-success': 'pass' }],
  ['busy-create', 'ignores errors', ignoresErrors, { waited: 'skipped', 'one-if-success': 'fail' }],
  ['busy-create', 'creates two', createsTwo, { waited: 'fail', 'one-if-success': 'fail' }],
  ['rejected-create', 'stops', async ({ create }) => ok(await create()), { 'not-repeated': 'pass' }],
  ['rejected-create', 'creates again', createsAgain, { 'not-repeated': 'fail' }],
  ['truncated-list', 'says failure', async ({ list }) => ok(await list()), { 'whole-list': 'pass' }],
  [
    'truncated-list',
    'lists again',
    async ({ list }) => {
      await list()
        .then(ok)
        .catch(() => list());
    },
    { 'whole-list': 'pass' },
  ],
  [
    'truncated-list',
    'takes what came',
    async ({ list }) => {
      await (await list()).text().catch(() => 'half of it');
    },
    { 'whole-list': 'fail' },
  ],
  [
    'long-ids',
    'keeps digits',
    getsListed((text, name) => /"id":(-?\d+)/.exec(text.slice(text.lastIndexOf('{', text.indexOf(name))))?.[1] ?? ''),
    { 'exact-id': 'pass' },
  ],
  [
    'long-ids',
    'reads with JSON.parse',
    getsListed((text, name) => JSON.parse(text).find((pet: { name: string }) => pet.name === name).id),
    { 'exact-id': 'fail' },
  ],
  ['retry-after-seconds', 'waits', listsAgainAfter(2000), { waited: 'pass' }],
  ['retry-after-seconds', 'does not wait', listsAgainAfter(0), { waited: 'fail' }],
  ['retry-after-seconds', 'never tries again', async ({ list }) => ok(await list()), { waited: 'skipped' }],
  ['retry-after-date', 'waits', listsAgainAfter(2000), { waited: 'pass' }],
  ['retry-after-date', 'does not wait', listsAgainAfter(0), { waited: 'fail' }],
  ['flaky', 'tries three times', flakyLists(3), { recovers: 'pass', jitter: 'pass' }],
  ['flaky', 'tries twice', flakyLists(2), { recovers: 'fail', jitter: 'skipped' }],
  ['flaky', 'never tries again', flakyLists(1), { recovers: 'skipped', jitter: 'skipped' }],
  [
    'outage',
    'backs off',
    backsOff(4, 130),
    {
      stops: 'pass',
      pauses: 'pass',
      'says-failure': 'pass',
      'stops-early': 'pass',
      'pauses-longer': 'pass',
      'backs-off': 'pass',
    },
  ],
  [
    'outage',
    'hammers',
    allAtOnce(60),
    {
      stops: 'fail',
      pauses: 'fail',
      'says-failure': 'pass',
      'stops-early': 'fail',
      'pauses-longer': 'fail',
    },
  ],
  [
    'outage',
    'ignores errors',
    async ({ list }) => list(),
    {
      stops: 'pass',
      pauses: 'skipped',
      'says-failure': 'fail',
      'stops-early': 'pass',
      'pauses-longer': 'skipped',
      'backs-off': 'skipped',
    },
  ],
  ['timeout', 'leaves', ({ request }) => request('/pets', { signal: AbortSignal.timeout(400) }), { leaves: 'pass' }],
  ['timeout', 'waits for it', withShortHang(async ({ list }) => ok(await list())), { leaves: 'fail' }],
  ['revoked-key', 'says failure', async ({ list }) => ok(await list()), { stops: 'pass', 'goes-on': 'pass' }],
  [
    'revoked-key',
    'takes the second key',
    async ({ list, request, secondKey }) => {
      await list();
      await ok(await request('/pets', { key: secondKey }));
    },
    { stops: 'pass', 'goes-on': 'pass' },
  ],
  [
    'revoked-key',
    'insists, and says success',
    async ({ list }) => {
      for (let i = 0; i < 3; i++) await list();
    },
    { stops: 'fail', 'goes-on': 'fail' },
  ],
  ['retry-jitter', 'comes back spread', inWaves(40), { spreads: 'pass' }],
  ['retry-jitter', 'never comes back', async ({ list }) => ok(await list()), { spreads: 'skipped' }],
  [
    'removed-operation',
    'lists instead',
    async (task) => {
      await task.request(`/pets/${task.petId}`);
      if (!(await isThere(task))) throw new Error('no such pet');
    },
    { stops: 'pass', 'moves-on': 'pass' },
  ],
  ['removed-operation', 'says failure', gets(1), { stops: 'pass', 'moves-on': 'pass' }],
  ['removed-operation', 'insists', gets(3), { stops: 'fail', 'moves-on': 'pass' }],
  [
    'removed-operation',
    'ignores errors',
    async ({ request, petId }) => request(`/pets/${petId}`),
    { stops: 'pass', 'moves-on': 'fail' },
  ],
  [
    'deprecated-operation',
    'lists instead',
    async ({ list, create }) => [await list(), await create(), await list()],
    { 'no-get-pet': 'pass' },
  ],
  [
    'deprecated-operation',
    'gets',
    async ({ list, create, request, petId }) => [await list(), await create(), await request(`/pets/${petId}`)],
    { 'no-get-pet': 'fail' },
  ],
  ['new-field', 'takes what it knows', readsPets(() => true), { succeeds: 'pass' }],
  [
    'new-field',
    'rejects members that it does not know',
    readsPets((pet) => Object.keys(pet).every((name) => KNOWN.includes(name))),
    { succeeds: 'fail' },
  ],
  ['new-status', 'takes any status', readsPets(() => true), { succeeds: 'pass' }],
  [
    'new-status',
    'rejects a status that it does not know',
    readsPets(({ status }) => status !== 'reserved'),
    { succeeds: 'fail' },
  ],
  [
    'new-error',
    'says failure',
    async ({ create }) => ok(await create()),
    { 'not-repeated': 'pass', 'no-crash': 'pass' },
  ],
  ['new-error', 'creates again', createsAgain, { 'not-repeated': 'fail', 'no-crash': 'pass' }],
  [
    'new-error',
    'crashes',
    async ({ create }) => {
      await create();
      throw new Crash();
    },
    { 'not-repeated': 'pass', 'no-crash': 'fail' },
  ],
];
