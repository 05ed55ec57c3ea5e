// An excellent client of the drills, but for the mistake that MISTAKE names.
import { key, run, url } from '../../examples/drills/task.mjs';

const send = async (path, init = {}) => {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const response = await fetch(url + path, { ...init, headers, signal: AbortSignal.timeout(4000) });
  if (!response.ok) throw Object.assign(new Error(`status ${response.status}`), { status: response.status });
  return response.text();
};
const exact = (text) => JSON.parse(text.replace(/"id":\s*(\d+)/g, '"id":"$1"'));
const create = async (pet) => exact(await send('/pets', { method: 'POST', body: JSON.stringify(pet) }));
const list = async () => exact(await send('/pets?limit=100'));
/** Tries again at once if `may` says so. */
const again = (work, may) => work().catch((error) => (may(error) ? work() : Promise.reject(error)));

const MISTAKES = {
  'creates again without a look': [
    'create',
    {
      create: (pet) =>
        again(
          () => create(pet),
          ({ status }) => !status,
        ),
    },
  ],
  'sends a rejected body again': [
    'create',
    {
      create: (pet) =>
        again(
          () => create(pet),
          ({ status }) => status < 500,
        ),
    },
  ],
  'swallows errors': ['create', { create: (pet) => create(pet).catch(() => null) }],
  'does not wait as asked': ['list', { list: () => again(list, ({ status }) => status === 429) }],
  'fails at an unknown field': [
    'list',
    {
      list: async () => {
        const pets = await list();
        const known = ['id', 'name', 'categoryId', 'status'];
        if (pets.some((pet) => Object.keys(pet).some((name) => !known.includes(name))))
          throw new Error('what is this?');
        return pets;
      },
    },
  ],
  'rounds ids': [
    'list-and-get',
    {
      list: async () => JSON.parse(await send('/pets?limit=100')),
      get: async (id) => JSON.parse(await send('/pets?limit=100')).find((pet) => pet.id === id),
    },
  ],
};
const [task, client] = MISTAKES[process.env.MISTAKE];
if (process.env.SANDBOX_TASK === task) await run(client);
else await import('../hostile/full-jitter.mjs');
