// ky with its defaults: two retries of what may be repeated, and a timeout of ten seconds.
import ky from 'ky';
import { key, run, url } from './task.mjs';

const client = ky.create({ headers: { Authorization: `Bearer ${key}` } });

await run({
  list: () => client.get(`${url}/pets?limit=100`).json(),
  create: (pet) => client.post(`${url}/pets`, { json: pet }).json(),
  get: (id) => client.get(`${url}/pets/${id}`).json(),
});
