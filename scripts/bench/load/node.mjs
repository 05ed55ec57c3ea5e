// A load generator as a process of its own. Without a rate, each connection sends its next request when the last one was
// answered. At a rate, requests are due in bursts, one each millisecond, whether or not earlier ones were answered, and
// latency counts from when a request was due: a queue shows as latency. Reads one JSON argument (see generator.ts),
// prints one line of JSON.
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';

const { url, file, method, headers, connections, seconds, rate } = JSON.parse(process.argv[2]);
const { hostname, port, host } = new URL(url);
const texts = readFileSync(file, 'utf8').split('\n').filter(Boolean).map(requestText);

/** Times at which requests were due that no connection was free for, oldest first. */
const waiting = [];
const idle = [];
const latencies = [];
let sent = 0;
let failures = 0;
let open = 0;
let until = 0;

function requestText(line) {
  const [path, body = ''] = line.split('\t');
  const all = { Host: host, ...headers, ...(body && { 'Content-Length': Buffer.byteLength(body) }) };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${head.join('')}\r\n${body}`;
}

function addConnection() {
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  const connection = { socket, due: 0, text: '' };
  socket.setEncoding('latin1');
  socket.once('connect', () => idle.push(connection));
  socket.on('data', (text) => {
    connection.text += text;
    const length = lengthOf(connection.text);
    if (length === undefined || connection.text.length < length) return;
    latencies.push(performance.now() - connection.due);
    if (!/^HTTP\/1\.1 2/.test(connection.text)) failures += 1;
    connection.text = '';
    open -= 1;
    if (waiting.length > 0) send(connection, waiting.shift());
    else if (rate === undefined && performance.now() < until) send(connection, performance.now());
    else idle.push(connection);
  });
  socket.on('error', () => (failures += 1));
}

/** Bytes of a whole response, as far as its head is there. */
function lengthOf(text) {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const length = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, end))?.[1];
  if (length === undefined) throw new Error('the response has no Content-Length');
  return end + 4 + Number(length);
}

function send(connection, due) {
  connection.due = due;
  connection.socket.write(texts[sent % texts.length], 'utf8');
  sent += 1;
  open += 1;
}

for (let i = 0; i < connections; i++) addConnection();
await new Promise((resolve) => setTimeout(resolve, 200));
const from = performance.now();
until = from + seconds * 1000;
if (rate === undefined) while (idle.length > 0) send(idle.pop(), performance.now());
let due = 0;
await new Promise((finished) => {
  const tick = () => {
    const now = performance.now() - from;
    for (
      // Without a rate, nothing is ever due here: the comparison with NaN is false.
      let at = Math.ceil((due * 1000) / rate);
      at <= Math.min(now, seconds * 1000);
      at = Math.ceil((++due * 1000) / rate)
    ) {
      const connection = idle.pop();
      if (connection) send(connection, from + at);
      else waiting.push(from + at);
    }
    // What waits at the end counts with the time that it has waited so far.
    if (now < seconds * 1000 || (open + waiting.length > 0 && now < seconds * 1000 + 2_000)) setTimeout(tick, 0.5);
    else finished();
  };
  tick();
});
for (const at of waiting) latencies.push(performance.now() - at);
latencies.sort((a, b) => a - b);
const percentile = (share) =>
  Math.round((latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0) * 1000);
console.log(
  `RESULT ${JSON.stringify({
    requests: latencies.length,
    microseconds: seconds * 1e6,
    p50: percentile(0.5),
    p99: percentile(0.99),
    failures: failures + waiting.length,
  })}`,
);
process.exit(0);
