// axios with axios-retry, both with their defaults.
import axios from 'axios';
import axiosRetry from 'axios-retry';
import { key, run, url } from './task.mjs';

const client = axios.create({ baseURL: url, headers: { Authorization: `Bearer ${key}` } });
axiosRetry(client);

await run({
  list: async () => (await client.get('/pets', { params: { limit: 100 } })).data,
  create: (pet) => client.post('/pets', pet),
  get: (id) => client.get(`/pets/${id}`),
});
