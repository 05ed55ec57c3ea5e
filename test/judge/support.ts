/** Exchanges to be judged, and referees to judge them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';
import { afterAll } from 'vitest';
import type { Exchange, RecordedAnswer, RecordedRequest, Verdict } from '../../src/exchange.ts';
import type { Log } from '../../src/log.ts';

export const pet = { id: 1, name: 'Biscuit', categoryId: 1, status: 'available' };
const json = 'application/json; charset=utf-8';

const request: RecordedRequest = {
  method: 'GET',
  target: '/v1/pets',
  authorization: 'Bearer …',
  contentType: undefined,
  bodyBytes: 0,
  body: undefined,
  bodyUnread: false,
};

type Asked = Partial<RecordedRequest>;
type Said = Partial<RecordedAnswer>;
type Rest = Partial<Omit<Exchange, 'request' | 'answer'>>;

let count = 0;

const exchange = (operation: string, asked: Asked, said: Said, rest: Rest): Exchange => {
  count += 1;
  return {
    id: `req_${count}`,
    sandbox: 'sbx_one',
    owner: rest.sandbox ?? 'sbx_one',
    operation,
    document: 'interface',
    at: 0,
    durationMs: 1,
    request: { ...request, ...asked },
    answer: { status: 200, contentType: json, body: '', ...said },
    decision: { kind: 'accepted' },
    injected: undefined,
    verdict: undefined,
    ...rest,
  };
};

export const listPets = (query = '', said: Said = {}, rest: Rest = {}, asked: Asked = {}): Exchange =>
  exchange('listPets', { target: `/v1/pets${query}`, ...asked }, { body: JSON.stringify([pet]), ...said }, rest);

export const getPet = (id: string | number = 1, said: Said = {}, rest: Rest = {}, asked: Asked = {}): Exchange =>
  exchange('getPet', { target: `/v1/pets/${id}`, ...asked }, { body: JSON.stringify(pet), ...said }, rest);

/** A text is sent as it is, anything else as JSON. */
export const createPet = (sent: unknown, said: Said = {}, rest: Rest = {}, asked: Asked = {}): Exchange => {
  const body = typeof sent === 'string' ? sent : JSON.stringify(sent);
  const bodyBytes = body === undefined ? 0 : Buffer.byteLength(body);
  const contentType = 'application/json';
  const answer = { status: 201, body: JSON.stringify(pet), ...said };
  return exchange('createPet', { method: 'POST', body, bodyBytes, contentType, ...asked }, answer, rest);
};

export const errorAnswer = (status: number): Said => ({
  status,
  body: JSON.stringify({ code: 'invalid_request', message: 'it is wrong', status }),
});

/** Violations in short: `request query/limit maximum`. */
export const inShort = (verdict: Verdict | undefined): string[] | undefined =>
  verdict?.violations.map(({ side, place, rule }) => `${side} ${place} ${rule}`);

/** What a JSON pointer leads to in a document, without following references; throws where it leads nowhere. */
export const resolvePointer = (document: unknown, pointer: string): unknown => {
  if (pointer === '#') return document;
  let node = document;
  for (const part of pointer.slice(2).split('/')) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, name))
      throw new Error(`${pointer}: no ${part}`);
    node = (node as Record<string, unknown>)[name];
  }
  return node;
};

const directories: string[] = [];
// Here and not where they are made: that is in a hook, and a hook within a hook is never called.
afterAll(() => {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
});

/** Bundles a worker's file of `test/judge/referees/` as the product's is; gone after the tests of the file. */
export const buildReferee = async (name: string): Promise<URL> => {
  const directory = mkdtempSync(path.join(tmpdir(), 'petstore-referee-'));
  directories.push(directory);
  const outfile = path.join(directory, `${name}.mjs`);
  await esbuild.build({
    entryPoints: [fileURLToPath(new URL(`referees/${name}.ts`, import.meta.url))],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    banner: { js: "import { createRequire } from 'node:module';const require = createRequire(import.meta.url);" },
    logLevel: 'error',
  });
  return pathToFileURL(outfile);
};

/** A log that keeps the errors it was told, as `message` with its details. */
export const keepingLog = (): { log: Log; errors: { message: string; details: object }[] } => {
  const errors: { message: string; details: object }[] = [];
  const ignore = (): void => undefined;
  return {
    errors,
    log: { error: (details, message) => errors.push({ message, details }), warn: ignore, info: ignore, debug: ignore },
  };
};
