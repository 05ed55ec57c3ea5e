// The tests of an excellent client, and one mistake if MISTAKE names it. With SANDBOX_TASK it does the task of a drill.
const { SANDBOX_URL: url, SANDBOX_KEY: key, SANDBOX_REVOKED_KEY: revoked, MISTAKE } = process.env;

if (process.env.SANDBOX_TASK) {
  await import('./full-jitter.mjs');
} else {
  const send = (path, init = {}) =>
    fetch(url + path, {
      ...init,
      headers: { Authorization: `Bearer ${init.key ?? key}`, 'Content-Type': 'application/json', ...init.headers },
    });
  const create = (body, init = {}) => send('/pets', { method: 'POST', body: JSON.stringify(body), ...init });
  const expected = { headers: { 'Sandbox-Expect': 'invalid' } };
  /** A test ends where a status is another one. */
  const is = async (wanted, response) => {
    const { status } = await response;
    if (status !== wanted) throw new Error(`${status} in place of ${wanted}`);
  };
  const mistakes = {
    'sends a limit that is too large': () => send('/pets?limit=500'),
    'sends an unknown status': () => send('/pets?status=gone'),
    'leaves out a required field': () => create({ name: 'Rex' }),
    'sends a number as text': () => create({ name: 'Rex', categoryId: '1' }),
    'calls a path that there is not': () => send('/pet'),
    'calls getPet': () => send('/pets/1'),
    'calls getPet for a pet that it lists': async () => send(`/pets/${(await (await send('/pets')).json())[0].id}`),
    'ends with an error': () => Promise.reject(new Error('a test failed')),
    'waits for ever': () => new Promise((resolve) => setTimeout(resolve, 60_000)),
  };
  if (MISTAKE === 'sends nothing') process.exit(0);
  await is(200, send('/pets?limit=5'));
  if (MISTAKE !== 'never creates') await is(201, create({ name: 'Rex', categoryId: 1 }));
  if (MISTAKE !== 'never sends an invalid body' && MISTAKE !== 'never creates') await is(400, create({}, expected));
  if (revoked) await is(401, send('/pets', { key: revoked, ...expected }));
  await mistakes[MISTAKE]?.();
}
