// A load generator as a process of its own; see `send` in loads.mjs. Without a rate, a connection sends its next request
// when the last one was answered. At a rate, requests are due in bursts, one each millisecond, whether or not earlier ones
// were answered: what waits for a connection, and what waits at the end, counts with its time.
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';

const { url, file, method, headers, connections, seconds, rate, count = Infinity } = JSON.parse(process.argv[2]);
const { hostname, port, host } = new URL(url);
const texts = readFileSync(file, 'utf8').split('\n').filter(Boolean).map(requestText);

const idle = [];
/** When those were due that no connection was free for, oldest first. */
const waiting = [];
const latencies = [];
let sent = 0;
let failures = 0;
let from = 0;

function requestText(line) {
  const [target, body = ''] = line.split('\t');
  const all = { Host: host, ...headers, ...(body && { 'Content-Length': Buffer.byteLength(body) }) };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${target} HTTP/1.1\r\n${head.join('')}\r\n${body}`;
}

function open() {
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  const connection = { socket, due: 0, text: '' };
  socket.setEncoding('latin1');
  socket.once('connect', () => idle.push(connection));
  socket.on('data', (text) => {
    connection.text += text;
    if (connection.text.length < lengthOf(connection.text)) return;
    const now = performance.now();
    latencies.push(now - connection.due);
    if (!/^HTTP\/1\.1 2/.test(connection.text)) failures += 1;
    connection.text = '';
    const isOver = now - from >= seconds * 1000 || sent >= count;
    if (waiting.length > 0) send(connection, waiting.shift());
    else if (rate === undefined && !isOver) send(connection, now);
    else idle.push(connection);
  });
  socket.on('error', () => {
    failures += 1;
  });
}

/** Of a whole response; infinite while its head is incomplete. */
function lengthOf(text) {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return Infinity;
  const length = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, end))?.[1];
  if (length === undefined) throw new Error('the response has no Content-Length');
  return end + 4 + Number(length);
}

function send(connection, due) {
  connection.due = due;
  connection.socket.write(texts[sent % texts.length], 'utf8');
  sent += 1;
}

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

for (let n = 0; n < connections; n++) open();
while (idle.length < connections) await pause(1);
from = performance.now();
if (rate === undefined) for (const connection of idle.splice(0)) send(connection, from);
for (let due = 0, now = 0; now < seconds * 1000 && sent < count; now = performance.now() - from) {
  for (; rate !== undefined && Math.ceil((due * 1000) / rate) <= now; due++) {
    const at = from + Math.ceil((due * 1000) / rate);
    const connection = idle.pop();
    if (connection) send(connection, at);
    else waiting.push(at);
  }
  await pause(0.5);
}
const took = performance.now() - from;
while (idle.length < connections && performance.now() - from < took + 2_000) await pause(1);
for (const at of waiting) latencies.push(performance.now() - at);
latencies.sort((a, b) => a - b);
const result = {
  requests: latencies.length,
  microseconds: took * 1000,
  p99: Math.round(1000 * (latencies[Math.floor(latencies.length * 0.99)] ?? 0)),
  failures: failures + waiting.length,
};
console.log(`RESULT ${JSON.stringify(result)}`);
process.exit(0);
