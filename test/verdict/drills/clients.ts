/** Clients of a few lines: for each check one that passes it and one that fails it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Crash, type DrillClient, type Task } from './run.ts';

/** The JSON of a success. */
const read = async (response: Response) => {
  if (!response.ok) throw new Error(`status ${response.status}`);
  return (await response.json()) as unknown;
};
type Pet = Record<string, unknown>;
const lists = async ({ list }: Task): Promise<Pet[]> => (await read(await list())) as Pet[];
/** The pet of the name, if it is there. */
const find = async (task: Task): Promise<Pet | undefined> =>
  (await lists(task)).find(({ name }) => name === task.petName);

const creates: DrillClient = async ({ create }) => read(await create());
/** Creates again, whatever happened. */
const createsAgain: DrillClient = (task) => creates(task).catch(() => creates(task));
const createsInAnotherOrder: DrillClient = (task) => {
  const body = JSON.stringify({ categoryId: 1, name: task.petName });
  return creates(task).catch(async () => read(await task.request('/pets', { method: 'POST', body })));
};
/** Looks whether the pet is there before it creates again. */
const looksFirst: DrillClient = (task) => creates(task).catch(async () => (await find(task)) ?? creates(task));

/** Waits for the response to a create not as long as it takes. */
const withTimeout =
  (client: DrillClient): DrillClient =>
  (task) => {
    const body = JSON.stringify({ name: task.petName, categoryId: 1 });
    const create = () => task.request('/pets', { method: 'POST', body, signal: AbortSignal.timeout(400) });
    return client({ ...task, create });
  };

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
const listsAgainAfter = (ms: number): DrillClient => backsOff(2, ms, 1);

const flakyLists =
  (tries: number): DrillClient =>
  async (task) => {
    const all: unknown[] = [];
    for (let i = 0; i < task.times; i++) all.push(await backsOff(tries, 10 + 40 * ((i * 2) % 5), 1)(task));
    return all;
  };

/** Lists at once, as often as the task asks for. */
const atOnce =
  (clientOf: (n: number) => DrillClient): DrillClient =>
  (task) =>
    Promise.all(Array.from({ length: task.times }, (_, n) => clientOf(n)(task)));
/** Each comes back after the time that it was told to wait, and its share of the spread. */
const inWaves = (waitMs: number, staggerMs: number) => atOnce((n) => listsAgainAfter(waitMs + n * staggerMs));

/** The id of a pet in the text of a list, with all digits. */
const exactId = (text: string, name: string): string =>
  /"id":(-?\d+)/.exec(text.slice(text.lastIndexOf('{', text.indexOf(name))))?.[1] ?? '';
/** Lists, finds the pet by its name, and gets it by the id that `idIn` makes of the text. */
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

const readsPets =
  (isFine: (pet: Pet) => boolean): DrillClient =>
  async (task) => {
    const all = await lists(task);
    if (!all.every(isFine)) throw new Error('this is no pet');
    return all;
  };

/** Sends each request once, and reports success whatever happens. */
const swallows =
  (gives: (task: Task) => unknown): DrillClient =>
  async (task) => {
    const signal = AbortSignal.timeout(1000);
    const body = JSON.stringify({ name: task.petName, categoryId: 1 });
    const get = (path: string) => task.request(path, { signal }).then((response) => response.text());
    const create = task.request('/pets', { method: 'POST', body, signal });
    await Promise.all([get('/pets'), create, get(`/pets/${task.petId}`)]).catch(() => undefined);
    return gives(task);
  };

/** With something in the place of the pet or list that they did not get. */
export const SWALLOWERS: readonly (readonly [gives: string, DrillClient])[] = [
  ['nothing', swallows(() => undefined)],
  [
    'what it sent, or an empty list',
    swallows(({ task, petName, times }) => {
      const empty = task.startsWith('list') ? [] : { name: petName, categoryId: 1 };
      return times === 1 ? empty : Array.from({ length: times }, () => []);
    }),
  ],
];

const takesWhatCame: DrillClient = async ({ request }) => {
  const response = await request('/pets');
  let text = '';
  try {
    for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) text += Buffer.from(part);
  } catch {
    // The rest never comes.
  }
  return JSON.parse(`${text.slice(0, text.lastIndexOf('},'))}}]`);
};

const roundsWhatItGives: DrillClient = async ({ request, list, petName }) =>
  read(await request(`/pets/${exactId(await (await list()).text(), petName)}`));

const takesListed: DrillClient = async ({ list, petName }) => ({
  id: exactId(await (await list()).text(), petName),
  name: petName,
});

const goesOn: DrillClient = async (task) => {
  for (let i = 0; i < task.times; i++) await task.list();
  throw new Error('some failed');
};

const givesFirst =
  (client: DrillClient): DrillClient =>
  async (task) =>
    ((await client(task)) as unknown[])[0];

const hammers: DrillClient = async ({ list }) => {
  await Promise.all(Array.from({ length: 60 }, () => list()));
  throw new Error('it is down');
};

/** Waits for a delay that it made shorter than a minute. */
const waitsForIt: DrillClient = async (task) => {
  await task.controls.delete('/_sandbox/faults');
  await task.controls.post('/_sandbox/faults', { operation: 'listPets', delayMs: 300, times: 1 });
  return lists(task);
};

const takesSecondKey: DrillClient = (task) =>
  lists(task).catch(async () => read(await task.request('/pets', { key: task.secondKey })));

const listsInstead: DrillClient = async (task) => {
  await task.request(`/pets/${task.petId}`);
  return find(task);
};

/** The steps of `deprecated-operation`: a list, a create, and a pet that `get` finds. */
const steps =
  (get: DrillClient): DrillClient =>
  async (task) => [await lists(task), await creates(task), await get(task)];
const findsById: DrillClient = async (task) => (await lists(task)).find(({ id }) => String(id) === task.petId);
const getsCreated: DrillClient = async (task) => {
  const [list, created] = [await lists(task), (await creates(task)) as Pet];
  return [list, created, await read(await task.request(`/pets/${created['id']}`))];
};
const mixesUp: DrillClient = async (task) => {
  await creates(task);
  const pet = await gets(1)(task);
  return [await lists(task), pet, pet];
};

const crashes: DrillClient = async ({ create }) => {
  await create();
  throw new Crash();
};

const hasKnownFields = (pet: Pet): boolean =>
  Object.keys(pet).every((name) => ['id', 'name', 'categoryId', 'status'].includes(name));

const all = (status: string, ...checks: readonly string[]) => Object.fromEntries(checks.map((id) => [id, status]));
const OUTAGE = ['stops', 'pauses', 'stops-early', 'pauses-longer'];

type Row = readonly [does: string, DrillClient, checks: Record<string, string>];

/** Of a create whose response is lost or late. */
const LOST: readonly Row[] = [
  ['looks first', withTimeout(looksFirst), { 'one-pet': 'pass', result: 'pass' }],
  ['creates again', withTimeout(createsAgain), { 'one-pet': 'fail', result: 'pass' }],
  ['reports failure', withTimeout(creates), { 'one-pet': 'pass', result: 'pass' }],
];
/** Of a list that asks for two seconds. */
const TWO_SECONDS: readonly Row[] = [
  ['waits', listsAgainAfter(2000), { waited: 'pass' }],
  ['does not wait', listsAgainAfter(0), { waited: 'fail' }],
  ['never tries again', lists, { waited: 'skipped', result: 'pass' }],
];

/** By drill: what a client does, and what the checks say of it. */
const BY_DRILL: Readonly<Record<string, readonly Row[]>> = {
  ...{ 'lost-create': LOST, 'create-503': LOST, 'slow-create': LOST },
  ...{ 'retry-after-seconds': TWO_SECONDS, 'retry-after-date': TWO_SECONDS },
  'busy-create': [
    [
      'waits',
      (task) => creates(task).catch(() => sleep(2000, task).then(creates)),
      { waited: 'pass', 'one-pet': 'pass' },
    ],
    ['does not wait', createsAgain, { waited: 'fail', 'one-pet': 'pass' }],
    ['never tries again', creates, { waited: 'skipped', 'one-pet': 'pass', result: 'pass' }],
    [
      'creates two',
      async (task) => [await createsAgain(task), await creates(task)],
      { waited: 'fail', 'one-pet': 'fail' },
    ],
  ],
  'rejected-create': [
    ['stops', creates, { 'not-repeated': 'pass' }],
    ['creates again', createsAgain, { 'not-repeated': 'fail' }],
    ['creates again in another order', createsInAnotherOrder, { 'not-repeated': 'fail' }],
  ],
  'truncated-list': [
    ['reports failure', lists, { result: 'pass' }],
    ['lists again', listsAgainAfter(0), { result: 'pass' }],
    ['takes the pets that came', takesWhatCame, { result: 'fail' }],
  ],
  'long-ids': [
    ['keeps digits', getsListed(exactId), { 'exact-id': 'pass' }],
    [
      'reads with JSON.parse',
      getsListed((text, name) => JSON.parse(text).find((pet: Pet) => pet['name'] === name).id),
      { 'exact-id': 'fail' },
    ],
    ['rounds only what it gives back', roundsWhatItGives, { 'exact-id': 'pass', result: 'fail' }],
    ['takes the pet out of the list, with all digits', takesListed, { 'exact-id': 'pass', result: 'pass' }],
    ['takes the pet out of the list, rounded', find, { 'exact-id': 'fail', result: 'fail' }],
  ],
  flaky: [
    ['tries three times', flakyLists(3), { recovers: 'pass', jitter: 'pass', result: 'pass' }],
    ['tries twice', flakyLists(2), { recovers: 'fail', jitter: 'skipped' }],
    ['never tries again', flakyLists(1), { recovers: 'skipped', jitter: 'skipped', result: 'pass' }],
    ['never tries again, and goes on', goesOn, { recovers: 'skipped', jitter: 'skipped' }],
    ['gives back one list of all', givesFirst(flakyLists(3)), { recovers: 'pass', result: 'fail' }],
  ],
  outage: [
    ['backs off', backsOff(4, 250, 2), all('pass', ...OUTAGE, 'backs-off', 'result')],
    ['hammers', hammers, all('fail', ...OUTAGE)],
    [
      'never tries again',
      lists,
      { ...all('pass', 'stops', 'stops-early'), ...all('skipped', 'pauses', 'pauses-longer', 'backs-off') },
    ],
  ],
  timeout: [
    ['leaves', ({ request }) => request('/pets', { signal: AbortSignal.timeout(400) }), { leaves: 'pass' }],
    ['waits for it', waitsForIt, { leaves: 'fail', result: 'pass' }],
  ],
  'revoked-key': [
    ['reports failure', lists, { stops: 'pass', result: 'pass' }],
    ['takes the second key', takesSecondKey, { stops: 'pass', result: 'pass' }],
    ['insists', backsOff(3, 1, 1), { stops: 'fail', result: 'pass' }],
  ],
  'retry-jitter': [
    ['comes back spread', inWaves(1000, 60), { waited: 'pass', jitter: 'pass', result: 'pass' }],
    ['subtracts its jitter', inWaves(500, 60), { waited: 'fail', jitter: 'pass' }],
    ['never tries again', atOnce(() => lists), { waited: 'skipped', jitter: 'skipped' }],
  ],
  'removed-operation': [
    ['lists instead', listsInstead, { stops: 'pass', succeeds: 'pass', result: 'pass' }],
    ['reports failure', gets(1), { stops: 'pass', succeeds: 'fail', result: 'pass' }],
    ['insists', gets(3), { stops: 'fail' }],
  ],
  'deprecated-operation': [
    ['lists instead', steps(findsById), { 'no-get-pet': 'pass', result: 'pass' }],
    ['gets', steps(gets(1)), { 'no-get-pet': 'fail', result: 'pass' }],
    ['gets the pet that it created', getsCreated, { 'no-get-pet': 'fail', result: 'pass' }],
    ['gives back the pet that it got in place of the one that it created', mixesUp, { result: 'fail' }],
  ],
  'new-field': [
    ['takes what it knows', lists, { succeeds: 'pass' }],
    ['rejects fields that it does not know', readsPets(hasKnownFields), { succeeds: 'fail' }],
  ],
  'new-status': [
    ['takes any status', lists, { succeeds: 'pass' }],
    ['rejects a status that it does not know', readsPets(({ status }) => status !== 'reserved'), { succeeds: 'fail' }],
  ],
  'new-error': [
    ['reports failure', creates, { 'not-repeated': 'pass', 'no-crash': 'pass' }],
    ['creates again', createsAgain, { 'not-repeated': 'fail', 'no-crash': 'pass' }],
    ['crashes', crashes, { 'not-repeated': 'pass', 'no-crash': 'fail' }],
  ],
};

export const CASES = Object.entries(BY_DRILL).flatMap(([drill, rows]) => rows.map((row) => [drill, ...row] as const));
