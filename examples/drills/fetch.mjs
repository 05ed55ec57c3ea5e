// fetch of Node: no retries, and a timeout only where you give one.
import { key, run, url } from './task.mjs';

async function send(path, init) {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const response = await fetch(url + path, { ...init, headers });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return response.json();
}

await run({
  list: () => send('/pets?limit=100'),
  create: (pet) => send('/pets', { method: 'POST', body: JSON.stringify(pet) }),
  get: (id) => send(`/pets/${id}`),
});
