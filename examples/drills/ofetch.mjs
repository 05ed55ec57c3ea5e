// ofetch with its defaults: one retry of what has no body, at once.
import { ofetch } from 'ofetch';
import { key, run, url } from './task.mjs';

const client = ofetch.create({ baseURL: url, headers: { Authorization: `Bearer ${key}` } });

await run({
  list: () => client('/pets', { query: { limit: 100 } }),
  create: (body) => client('/pets', { method: 'POST', body }),
  get: (id) => client(`/pets/${id}`),
});
