// The yardstick: a bare Express 5 with its default settings, as one writes it without a thought for speed. It checks
// nothing, knows no keys, and keeps nothing. With `lean` it is what somebody writes who counts microseconds: no ETag, no
// X-Powered-By, no query parser.
import { readFileSync } from 'node:fs';
import express from 'express';

const [port, kind, ...files] = process.argv.slice(2);
const [few, ...more] = files.map((file) => JSON.parse(readFileSync(file, 'utf8')).pets);
const pets = new Map([few, ...more].flat().map((pet) => [String(pet.id), pet]));

const app = express();
const isLean = kind === 'lean';
if (isLean) app.disable('etag').disable('x-powered-by').set('query parser', false);
app.get('/v1/pets/:petId', (req, res) => res.json(pets.get(req.params.petId)));
app.get('/v1/pets', (req, res) => {
  const { limit, status } = isLean
    ? Object.fromEntries(new URLSearchParams(req.url.slice(req.url.indexOf('?'))))
    : req.query;
  const found = [];
  for (const pet of few) {
    if (pet.status === status && found.push(pet) >= Number(limit)) break;
  }
  res.json(found);
});
app.post('/v1/pets', express.json(), (req, res) => res.status(201).json(req.body));
app.listen(Number(port), '127.0.0.1');
