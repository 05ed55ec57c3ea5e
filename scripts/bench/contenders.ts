/** Who is measured: each with how it is started and how it is asked. */
import { readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Health, startOwnServer } from './own-server.ts';
import { PEERS } from './peers.ts';
import { type Ask, FEW, MANY } from './pets.ts';
import { freePort, type Running, start } from './server-process.ts';
import { temporaryDirectory, writeFixture } from './temporary.ts';

/** A contender that runs. */
export interface Contestant {
  readonly url: string;
  readonly running: Running;
  /** Headers of every request of a load. */
  headers(allNew: boolean): Readonly<Record<string, string>>;
  /** What is needed for the loads, but not for the start. */
  prepare?(): Promise<void>;
  /** Puts back what a load has added, where that is possible. */
  tidy?(): Promise<void>;
  health?(): Promise<Health>;
  /** Ends it, and removes what it kept. */
  end(): Promise<void>;
}

export interface Contender {
  readonly name: string;
  /** With its version, and what it does and does not do. */
  readonly about: string;
  /** Whether the loads without two exchanges alike, and those at a constant rate, are for it too. */
  readonly thorough?: true;
  /** Takes part only where `--only` names it: too large to install for every run, or not of Node. */
  readonly onRequest?: true;
  /** How long each load runs before it is measured. */
  readonly warmUpSeconds?: number;
  path(request: Ask): string;
  /**
   * Starts it, with what `get` and `list` ask for, or with everything that any load asks for.
   *
   * @throws when it cannot be installed or does not start
   */
  start(pets: 'few' | 'all'): Promise<Contestant>;
}

const version = (name: string): string =>
  JSON.parse(readFileSync(new URL(`../../node_modules/${name}/package.json`, import.meta.url), 'utf8')).version;

const pathUnderV1 = (request: Ask): string => {
  if (request.kind === 'get') return `/v1/pets/${request.id}`;
  return request.kind === 'list' ? `/v1/pets?${request.query}` : '/v1/pets';
};

const sandbox: Contender = {
  name: 'sandbox',
  about: 'everything on: keys, strict parsing, both sides of every exchange validated, a create on disk before its 201',
  thorough: true,
  path: pathUnderV1,
  start: async (pets) => {
    const fixtures = pets === 'all' ? { few: FEW, many: MANY } : { few: FEW };
    // In half a minute of creates, more than a million pets come together.
    const flags = ['--max-pets', '10000000'];
    const server = await startOwnServer({ fixtures, fixture: 'few', flags });
    let keyOfMany = '';
    return {
      ...server,
      headers: (allNew) => ({ Authorization: `Bearer ${allNew ? keyOfMany : server.key}` }),
      prepare: async () => {
        keyOfMany = (await server.call<{ key: string }>('POST', '/_sandbox/keys', { fixture: 'many' })).key;
      },
      tidy: async () => void (await server.call('POST', '/_sandbox/reset', {})),
    };
  },
};

const expressAs = (kind: 'bare' | 'lean', name: string, about: string): Contender => ({
  name,
  about,
  thorough: true,
  path: pathUnderV1,
  start: async (pets) => {
    const home = temporaryDirectory();
    const files = [writeFixture(home, 'few', FEW), ...(pets === 'all' ? [writeFixture(home, 'many', MANY)] : [])];
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const program = fileURLToPath(new URL('peers/express.mjs', import.meta.url));
    const command = { file: process.execPath, args: [program, String(port), kind, ...files] };
    const remove = () => rmSync(home, { recursive: true, force: true });
    const running = await start(command, { url: `${url}/v1/pets/1` }).finally(remove);
    return { url, running, headers: () => ({}), end: running.stop };
  },
});

/** All, in the order in which they take their turns. */
export const CONTENDERS: readonly Contender[] = [
  sandbox,
  expressAs(
    'bare',
    'express',
    `bare Express ${version('express')}: res.json from a Map, express.json() echo; no keys, no checks, nothing kept`,
  ),
  expressAs('lean', 'lean express', 'the same without ETag, X-Powered-By and query parser'),
  ...PEERS,
];
