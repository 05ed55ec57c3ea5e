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

const MISTAKES = {
  'creates again without a look': [
    'create',
    { create: (pet) => create(pet).catch((error) => (error.status ? Promise.reject(error) : create(pet))) },
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
else await import('./full-jitter.mjs');
