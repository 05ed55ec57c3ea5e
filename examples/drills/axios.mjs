// axios with axios-retry, both with their defaults.
import axios from 'axios';
import axiosRetry from 'axios-retry';
import { key, run, url } from './task.mjs';

const client = axios.create({ baseURL: url, headers: { Authorization: `Bearer ${key}` } });
axiosRetry(client);

await run({
  list: async () => (await client.get('/pets', { params: { limit: 100 } })).data,
  create: async (pet) => (await client.post('/pets', pet)).data,
  get: async (id) => (await client.get(`/pets/${id}`)).data,
});
