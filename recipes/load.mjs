// Load on a sandbox of its own, which nobody else feels but for the machine's time: `node load.mjs`.
// The figures are those of the sandbox. They say how your load generator works, nothing of the real service.
import autocannon from 'autocannon';

const { SANDBOX_URL = 'http://127.0.0.1:4020/v1', CONNECTIONS = '10', SECONDS = '10' } = process.env;

const ask = async (method, path, { key, body } = {}) => {
  const response = await fetch(new URL(path, SANDBOX_URL), {
    method,
    headers: {
      ...(key && { Authorization: `Bearer ${key}` }),
      ...(body && { 'Content-Type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response.status === 204 ? undefined : response.json();
};

const { key, baseUrl } = await ask('POST', '/_sandbox/keys', { body: { label: 'load', fixture: 'large' } });
try {
  // The first request loads the fixture.
  await ask('GET', '/v1/pets', { key });
  const result = await autocannon({
    url: baseUrl,
    connections: Number(CONNECTIONS),
    duration: Number(SECONDS),
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    requests: [
      { method: 'GET', path: '/v1/pets?limit=100' },
      { method: 'GET', path: '/v1/pets?status=sold' },
      { method: 'POST', path: '/v1/pets', body: JSON.stringify({ name: 'Rex', categoryId: 1 }) },
    ],
  });
  const { latency, requests, errors, non2xx } = result;
  process.stdout.write(`${Math.round(requests.average)} requests/s; p50 ${latency.p50} ms, p99 ${latency.p99} ms; `);
  process.stdout.write(`${result['2xx']} answered, ${non2xx} rejected, ${errors} failed\n`);
  if (errors + non2xx > 0 || result['2xx'] === 0) process.exitCode = 1;
} finally {
  await ask('DELETE', '/_sandbox', { key });
}
