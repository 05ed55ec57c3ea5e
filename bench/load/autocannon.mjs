// The load generator as a process of its own, so that it shares no event loop with what it measures. Reads one JSON
// argument (see generator.ts), prints one line of JSON.
import { readFileSync } from 'node:fs';
import autocannon from 'autocannon';

const { url, file, method, headers, connections, seconds } = JSON.parse(process.argv[2]);
const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
const requests = lines.map((line) => {
  const [path, body] = line.split('\t');
  return { method, path, headers, ...(body ? { body } : {}) };
});
let client = 0;
const result = await autocannon({
  url,
  connections,
  duration: seconds,
  headers,
  // A share of the requests for each connection: together they send every one in turn.
  setupClient: (each) => {
    const mine = requests.filter((_, index) => index % connections === client % connections);
    client += 1;
    each.setRequests(mine.length > 0 ? mine : requests);
  },
});
const failures = result.non2xx + result.errors + result.timeouts;
const { p50, p99 } = result.latency;
console.log(
  `RESULT ${JSON.stringify({
    requests: result.requests.total,
    microseconds: result.duration * 1e6,
    p50: p50 * 1000,
    p99: p99 * 1000,
    failures,
  })}`,
);
