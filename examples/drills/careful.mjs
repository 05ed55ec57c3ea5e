// A careful client on fetch: it passes every drill. What each part is for: docs/guides/drills.md.
import { setTimeout as sleep } from 'node:timers/promises';
import { key, run, url } from './task.mjs';

const ATTEMPTS = 5;
const TIMEOUT_MS = 5000;
let current = key;

async function send(path, init) {
  const headers = { Authorization: `Bearer ${current}`, 'Content-Type': 'application/json' };
  const response = await fetch(url + path, { ...init, headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
  const text = await response.text();
  // Ids beyond 2^53 stay strings: JSON.parse would round them.
  if (response.ok) return JSON.parse(text.replace(/([:[,]\s*)(-?\d{16,})(?=\s*[,}\]])/g, '$1"$2"'));
  const { status } = response;
  throw Object.assign(new Error(`${status} ${text}`), { status, retryAfter: response.headers.get('retry-after') });
}

/** Milliseconds to wait: what the server asks for, or a backoff; with jitter on top, never below. */
function waitFor({ retryAfter }, attempt) {
  const backoff = 200 * 2 ** attempt * (0.5 + Math.random());
  if (!retryAfter) return backoff;
  const asked = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - Date.now();
  return Math.max(0, asked) + Math.random() * 1000;
}

/** Tries again while it helps. `isDone` looks whether a lost attempt has happened after all. */
async function insist(attempt, isDone = async () => undefined) {
  for (let n = 0; ; n++) {
    try {
      return await attempt();
    } catch (error) {
      if (error.status === 401 && process.env.SANDBOX_SECOND_KEY && current === key) {
        current = process.env.SANDBOX_SECOND_KEY;
        continue;
      }
      // No status: the connection broke, or nothing came in time.
      const mayPass = error.status === undefined || error.status === 429 || error.status >= 500;
      if (!mayPass || n === ATTEMPTS - 1) throw error;
      await sleep(waitFor(error, n));
      const done = error.status === 429 ? undefined : await isDone();
      if (done) return done;
    }
  }
}

const list = () => insist(() => send('/pets?limit=100'));
const find = async (isIt) => (await list()).find(isIt);

await run({
  list,
  create: (pet) =>
    insist(
      () => send('/pets', { method: 'POST', body: JSON.stringify(pet) }),
      () => find(({ name }) => name === pet.name),
    ),
  // getPet is deprecated: the list has the pet as well.
  get: async (id) => {
    const pet = await find((each) => String(each.id) === id);
    if (!pet) throw new Error(`no pet ${id}`);
    return pet;
  },
});
