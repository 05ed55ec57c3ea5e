// Puts load on a sandbox of its own: `node load.mjs`.
// The figures are those of the sandbox and of your load generator. They say nothing about the real service.
const { SANDBOX_URL = 'http://127.0.0.1:4020/v1', CONNECTIONS = '10', SECONDS = '10' } = process.env;

const send = (method, address, { key, body } = {}) =>
  fetch(address, {
    method,
    headers: {
      ...(key && { Authorization: `Bearer ${key}` }),
      ...(body && { 'Content-Type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });

const controls = SANDBOX_URL.replace(/\/v1\/?$/, '/_sandbox');
const created = await send('POST', `${controls}/keys`, { body: { label: 'load', fixture: 'large' } });
if (!created.ok) throw new Error(`no sandbox: ${created.status} ${await created.text()}`);
const { key, baseUrl } = await created.json();

const REQUESTS = [
  ['GET', '/pets?limit=100'],
  ['GET', '/pets?status=sold'],
  ['POST', '/pets', { name: 'Rex', categoryId: 1 }],
];
const times = [];
const counts = { answered: 0, rejected: 0, failed: 0 };
const end = performance.now() + Number(SECONDS) * 1000;

/** One connection: a request, its whole response, the next request. */
const connection = async () => {
  for (let i = 0; performance.now() < end; i++) {
    const [method, path, body] = REQUESTS[i % REQUESTS.length];
    const from = performance.now();
    try {
      const response = await send(method, baseUrl + path, { key, body });
      await response.arrayBuffer();
      counts[response.ok ? 'answered' : 'rejected'] += 1;
      times.push(performance.now() - from);
    } catch {
      counts.failed += 1;
    }
  }
};

try {
  await Promise.all(Array.from({ length: Number(CONNECTIONS) }, connection));
  times.sort((a, b) => a - b);
  const [p50, p99] = [0.5, 0.99].map((share) => Math.round(times[Math.floor(times.length * share)] ?? 0));
  const { answered, rejected, failed } = counts;
  process.stdout.write(
    `${Math.round(times.length / Number(SECONDS))} requests/s; p50 ${p50} ms, p99 ${p99} ms; ` +
      `${answered} answered, ${rejected} rejected, ${failed} failed\n`,
  );
  if (failed + rejected > 0 || answered === 0) process.exitCode = 1;
} finally {
  await send('DELETE', baseUrl.replace(/v1$/, '_sandbox'), { key });
}
