/** Clients of a few lines: for each check one that passes it and one that fails it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Crash, type DrillClient, type Task } from './run.ts';

/** The JSON of a success. */
const read = async (response: Response) => {
  if (!response.ok) throw new Error(`status ${response.status}`);
  return (await response.json()) as unknown;
};
type Pet = Record<string, unknown>;
const pets = async ({ list }: Task): Promise<Pet[]> => (await read(await list())) as Pet[];
/** The pet of the name, if it is there. */
const find = async (task: Task): Promise<Pet | undefined> =>
  (await pets(task)).find(({ name }) => name === task.petName);

const creates: DrillClient = async ({ create }) => read(await create());
const lists: DrillClient = pets;
/** Creates again, whatever happened. */
const createsAgain: DrillClient = (task) => creates(task).catch(() => creates(task));
const createsTwo: DrillClient = async (task) => {
  await createsAgain(task);
  return creates(task);
};
/** Looks whether the pet is there before it creates again. */
const looksFirst: DrillClient = (task) => creates(task).catch(async () => (await find(task)) ?? creates(task));

const withTimeout = ({ request, petName }: Task) =>
  request('/pets', {
    method: 'POST',
    body: JSON.stringify({ name: petName, categoryId: 1 }),
    signal: AbortSignal.timeout(400),
  });

const listsAgainAfter =
  (ms: number): DrillClient =>
  async (task) =>
    lists(task).catch(async () => {
      await sleep(ms);
      return lists(task);
    });

/** Tries a list so often, with waits that grow by a factor. */
const backsOff =
  (attempts: number, firstMs: number, factor: number): DrillClient =>
  async (task) => {
    for (let i = 1; ; i++) {
      try {
        return await lists(task);
      } catch (error) {
        if (i === attempts) throw error;
        await sleep(firstMs * factor ** (i - 1));
      }
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
    return client(task);
  };

const flakyLists =
  (tries: number): DrillClient =>
  async (task) => {
    const all: unknown[] = [];
    for (let i = 0; i < task.times; i++) {
      const waits = (i * 2) % 5;
      all.push(await backsOff(tries, 10 + 40 * waits, 1)(task));
    }
    return all;
  };

/** Lists at once; each comes back after the time that it was told to wait, and its share of the spread. */
const inWaves =
  (waitMs: number, staggerMs: number): DrillClient =>
  (task) =>
    Promise.all(Array.from({ length: task.times }, (_, i) => listsAgainAfter(waitMs + i * staggerMs)(task)));

/** Lists, finds the pet by its name, and gets it by the id that `read` makes of its text. */
const getsListed =
  (idIn: (text: string, name: string) => string): DrillClient =>
  async ({ list, request, petName }) => {
    const id = idIn(await (await list()).text(), petName);
    await read(await request(`/pets/${id}`));
    return { id, name: petName };
  };

const gets =
  (attempts: number): DrillClient =>
  async ({ request, petId }) => {
    for (let i = 1; ; i++) {
      const response = await request(`/pets/${petId}`);
      if (response.ok || i === attempts) return read(response);
    }
  };

const KNOWN = ['id', 'name', 'categoryId', 'status'];
const readsPets =
  (isFine: (pet: Pet) => boolean): DrillClient =>
  async (task) => {
    const all = await pets(task);
    if (!all.every(isFine)) throw new Error('this is no pet');
    return all;
  };

/** Sends the requests of its task once. */
const once = (task: Task): Promise<unknown> => {
  const signal = AbortSignal.timeout(1000);
  const body = JSON.stringify({ name: task.petName, categoryId: 1 });
  const list = () => task.request('/pets', { signal }).then((response) => response.text());
  const create = () => task.request('/pets', { method: 'POST', body, signal });
  const get = () => task.request(`/pets/${task.petId}`, { signal });
  const steps = {
    ...{ list: [list], 'list-at-once': Array.from({ length: task.times }, () => list) },
    ...{ create: [create], get: [get], 'list-and-get': [list, get], all: [list, create, get] },
  };
  return Promise.all(steps[task.task].map((step) => step()));
};

/** Clients that report success whatever happens, with something in the place of the pet or list that they did not get. */
export const SWALLOWERS: readonly (readonly [gives: string, DrillClient])[] = [
  [
    'nothing',
    (task) =>
      once(task).then(
        () => undefined,
        () => undefined,
      ),
  ],
  [
    'what it sent, or an empty list',
    (task) => {
      const empty = task.task.startsWith('list') ? [] : { name: task.petName, categoryId: 1 };
      const result = task.times === 1 ? empty : Array.from({ length: task.times }, () => []);
      return once(task).then(
        () => result,
        () => result,
      );
    },
  ],
];

/** A row: the drill, what its client does, and what the checks say of it. */
export const CASES: readonly (readonly [drill: string, does: string, DrillClient, Record<string, string>])[] = [
  ['lost-create', 'looks first', looksFirst, { 'one-pet': 'pass', result: 'pass' }],
  ['lost-create', 'creates again', createsAgain, { 'one-pet': 'fail', result: 'pass' }],
  ['lost-create', 'reports failure', creates, { 'one-pet': 'pass', result: 'pass' }],
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
    (task) => creates(task).catch(() => sleep(2000).then(() => creates(task))),
    { waited: 'pass', 'one-pet': 'pass' },
  ],
  ['busy-create', 'does not wait', createsAgain, { waited: 'fail', 'one-pet': 'pass' }],
  ['busy-create', 'never tries again', creates, { waited: 'skipped', 'one-pet': 'pass', result: 'pass' }],
  ['busy-create', 'creates two', createsTwo, { waited: 'fail', 'one-pet': 'fail' }],
  ['rejected-create', 'stops', creates, { 'not-repeated': 'pass' }],
  ['rejected-create', 'creates again', createsAgain, { 'not-repeated': 'fail' }],
  ['truncated-list', 'reports failure', lists, { result: 'pass' }],
  ['truncated-list', 'lists again', (task) => lists(task).catch(() => lists(task)), { result: 'pass' }],
  [
    'truncated-list',
    'takes the pets that came',
    async ({ request }) => {
      const response = await request('/pets');
      let text = '';
      try {
        for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) text += Buffer.from(part);
      } catch {
        // The rest never comes.
      }
      return JSON.parse(`${text.slice(0, text.lastIndexOf('},'))}}]`);
    },
    { result: 'fail' },
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
  [
    'long-ids',
    'rounds only what it gives back',
    async (task) => {
      const { request, list } = task;
      const id = /"id":(-9007199254740993)/.exec(await (await list()).text())?.[1];
      return read(await request(`/pets/${id}`));
    },
    { 'exact-id': 'pass', result: 'fail' },
  ],
  [
    'long-ids',
    'takes the pet out of the list, with all digits',
    async ({ list, petName }) => {
      const text = await (await list()).text();
      const id = /"id":(-?\d+)/.exec(text.slice(text.lastIndexOf('{', text.indexOf(petName))))?.[1];
      return { id, name: petName };
    },
    { 'exact-id': 'pass', result: 'pass' },
  ],
  ['long-ids', 'takes the pet out of the list, rounded', find, { 'exact-id': 'fail', result: 'fail' }],
  ['retry-after-seconds', 'waits', listsAgainAfter(2000), { waited: 'pass' }],
  ['retry-after-seconds', 'does not wait', listsAgainAfter(0), { waited: 'fail' }],
  ['retry-after-seconds', 'never tries again', lists, { waited: 'skipped', result: 'pass' }],
  ['retry-after-date', 'waits', listsAgainAfter(2000), { waited: 'pass' }],
  ['retry-after-date', 'does not wait', listsAgainAfter(0), { waited: 'fail' }],
  ['flaky', 'tries three times', flakyLists(3), { recovers: 'pass', jitter: 'pass', result: 'pass' }],
  ['flaky', 'tries twice', flakyLists(2), { recovers: 'fail', jitter: 'skipped' }],
  ['flaky', 'never tries again', flakyLists(1), { recovers: 'skipped', jitter: 'skipped', result: 'pass' }],
  [
    'flaky',
    'never tries again, and goes on',
    async (task) => {
      for (let i = 0; i < task.times; i++) await task.list();
      throw new Error('some failed');
    },
    { recovers: 'skipped', jitter: 'skipped' },
  ],
  [
    'flaky',
    'gives back one list of all',
    async (task) => ((await flakyLists(3)(task)) as unknown[])[0],
    { recovers: 'pass', result: 'fail' },
  ],
  [
    'outage',
    'backs off',
    backsOff(4, 250, 2),
    {
      stops: 'pass',
      pauses: 'pass',
      'stops-early': 'pass',
      'pauses-longer': 'pass',
      'backs-off': 'pass',
      result: 'pass',
    },
  ],
  [
    'outage',
    'hammers',
    allAtOnce(60),
    { stops: 'fail', pauses: 'fail', 'stops-early': 'fail', 'pauses-longer': 'fail' },
  ],
  [
    'outage',
    'never tries again',
    lists,
    { stops: 'pass', pauses: 'skipped', 'stops-early': 'pass', 'pauses-longer': 'skipped', 'backs-off': 'skipped' },
  ],
  ['timeout', 'leaves', ({ request }) => request('/pets', { signal: AbortSignal.timeout(400) }), { leaves: 'pass' }],
  ['timeout', 'waits for it', withShortHang(lists), { leaves: 'fail', result: 'pass' }],
  ['revoked-key', 'reports failure', lists, { stops: 'pass', result: 'pass' }],
  [
    'revoked-key',
    'takes the second key',
    async (task) => lists(task).catch(async () => read(await task.request('/pets', { key: task.secondKey }))),
    { stops: 'pass', result: 'pass' },
  ],
  ['revoked-key', 'insists', (task) => backsOff(3, 1, 1)(task), { stops: 'fail', result: 'pass' }],
  ['retry-jitter', 'comes back spread', inWaves(1000, 60), { waited: 'pass', jitter: 'pass', result: 'pass' }],
  ['retry-jitter', 'subtracts its jitter', inWaves(500, 60), { waited: 'fail', jitter: 'pass' }],
  [
    'retry-jitter',
    'never tries again',
    (task) => Promise.all(Array.from({ length: task.times }, () => lists(task))),
    { waited: 'skipped', jitter: 'skipped' },
  ],
  [
    'removed-operation',
    'lists instead',
    async (task) => {
      await task.request(`/pets/${task.petId}`);
      return find(task);
    },
    { stops: 'pass', succeeds: 'pass', result: 'pass' },
  ],
  ['removed-operation', 'reports failure', gets(1), { stops: 'pass', succeeds: 'fail', result: 'pass' }],
  ['removed-operation', 'insists', gets(3), { stops: 'fail' }],
  [
    'deprecated-operation',
    'lists instead',
    async (task) => [
      await pets(task),
      await creates(task),
      (await pets(task)).find(({ id }) => String(id) === task.petId),
    ],
    { 'no-get-pet': 'pass', result: 'pass' },
  ],
  [
    'deprecated-operation',
    'gets',
    async (task) => [await pets(task), await creates(task), await gets(1)(task)],
    { 'no-get-pet': 'fail', result: 'pass' },
  ],
  [
    'deprecated-operation',
    'gives back the pet that it got in place of the one that it created',
    async (task) => {
      await creates(task);
      const pet = await gets(1)(task);
      return [await pets(task), pet, pet];
    },
    { result: 'fail' },
  ],
  ['new-field', 'takes what it knows', readsPets(() => true), { succeeds: 'pass' }],
  [
    'new-field',
    'rejects fields that it does not know',
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
  ['new-error', 'reports failure', creates, { 'not-repeated': 'pass', 'no-crash': 'pass' }],
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
