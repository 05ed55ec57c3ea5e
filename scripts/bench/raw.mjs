// The floor: Node's own HTTP server with the head of our responses, and nothing else. It parses no path and no body.
import { createServer } from 'node:http';

const [port] = process.argv.slice(2);
const pet = '{"id":1,"name":"Pet number 1","categoryId":2,"status":"pending"}';
const head = [
  ...['Cache-Control', 'no-store', 'X-Content-Type-Options', 'nosniff', 'Sandbox-Request-Id', 'req_0123456789abcdef'],
  ...['Content-Type', 'application/json', 'Content-Length', String(pet.length), 'Access-Control-Allow-Origin', '*'],
  ...['Access-Control-Expose-Headers', 'Sandbox-Request-Id, Link, Sunset, Retry-After'],
];
createServer({ optimizeEmptyRequests: true, keepAliveTimeout: 65_000 }, (req, res) => {
  req.resume();
  res.writeHead(req.method === 'POST' ? 201 : 200, head).end(pet);
}).listen(Number(port), '127.0.0.1');
