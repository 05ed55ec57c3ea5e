// An excellent client on node:http: full jitter, as the article that the drills cite describes it, and no deprecated operation.
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const { SANDBOX_URL, SANDBOX_KEY, SANDBOX_SECOND_KEY, SANDBOX_TASK, SANDBOX_TIMES = '1' } = process.env;
const { SANDBOX_PET_NAME: name, SANDBOX_PET_ID: petId } = process.env;
const [ATTEMPTS, BASE_MS, MOST_MS, TIMEOUT_MS] = [5, 100, 2000, 4000];
const keys = [SANDBOX_KEY, ...(SANDBOX_SECOND_KEY ? [SANDBOX_SECOND_KEY] : [])];

class ApiError extends Error {
  constructor(status, headers) {
    super(`status ${status}`);
    Object.assign(this, { status, retryAfter: headers['retry-after'] });
  }
}

function send(method, path, body) {
  return new Promise((resolve, reject) => {
    const headers = { Authorization: `Bearer ${keys[0]}`, Accept: 'application/json', 'User-Agent': 'full-jitter/1' };
    if (body !== undefined)
      Object.assign(headers, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) });
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const req = request(SANDBOX_URL + path, { method, headers, signal }, (res) => {
      let text = '';
      res.setEncoding('utf8').on('data', (part) => {
        text += part;
      });
      res.on('error', reject).on('end', () => {
        if (!res.complete) reject(new Error('the response was cut off'));
        else if (res.statusCode < 300) resolve(JSON.parse(text.replace(/"(id|categoryId)":\s*(-?\d+)/g, '"$1":"$2"')));
        else reject(new ApiError(res.statusCode, res.headers));
      });
    });
    req.on('error', reject).end(body);
  });
}

/** Milliseconds until the next attempt: what the server asks for and a part of a second, or full jitter. */
function waitFor({ retryAfter }, n) {
  if (retryAfter === undefined) return Math.random() * Math.min(MOST_MS, BASE_MS * 2 ** n);
  const asked = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - Date.now();
  return Math.max(0, asked) + Math.random() * 1000;
}

const mayPass = ({ status }) => status === undefined || status === 429 || status >= 500;

async function insist(attempt, happened = async () => undefined) {
  for (let n = 0; ; n++) {
    try {
      return await attempt();
    } catch (error) {
      const isRevoked = error.status === 401 && keys.length > 1;
      if (isRevoked) keys.shift();
      else if (!mayPass(error) || n === ATTEMPTS - 1) throw error;
      else await sleep(waitFor(error, n));
      const done = error.status === undefined || error.status >= 500 ? await happened() : undefined;
      if (done) return done;
    }
  }
}

const list = () => insist(() => send('GET', '/pets?limit=100'));
const find = async (isIt) => (await list()).find(isIt);
const create = () =>
  insist(
    () => send('POST', '/pets', JSON.stringify({ name, categoryId: 1 })),
    () => find((pet) => pet.name === name),
  );
const get = async (isIt) => (await find(isIt)) ?? Promise.reject(new Error('there is no such pet'));
const isIt = ({ id }) => id === petId;
const steps = {
  list: async () => {
    const all = [];
    for (let i = 0; i < SANDBOX_TIMES; i++) all.push(await list());
    return all;
  },
  'list-at-once': () => Promise.all(Array.from({ length: Number(SANDBOX_TIMES) }, list)),
  create: async () => [await create()],
  get: async () => [await get(isIt)],
  'list-and-get': async () => [await get((pet) => pet.name === name)],
  all: async () => [await list(), await create(), await get(isIt)],
};

try {
  for (const result of await steps[SANDBOX_TASK]()) process.stdout.write(`${JSON.stringify(result)}\n`);
} catch (error) {
  process.stderr.write(`failed: ${error.message}\n`);
  process.exitCode = 1;
}
