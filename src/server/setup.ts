/**
 * The start state as a file: preconfigured keys, each with what the control API would be sent for it. The control API reads
 * these bodies itself, so its schemas and messages hold here too.
 */
import { TextDecoder } from 'node:util';
import { hashOf } from '../api/api-key.ts';
import { ControlsClient } from '../client/client.ts';
import { ClientError } from '../client/errors.ts';
import type { Route } from '../client/routes.ts';
import { readGivenFile } from '../core/given-file.ts';
import { isObject, type JsonObject, type JsonValue, parseJson } from '../core/int64.ts';
import { kindOf, notKnown } from '../core/text.ts';
import { secret } from '../settings/setting-values.ts';
import { type Settings, SettingsError } from '../settings/settings.ts';
import type { Parts } from './wiring.ts';

/** What is sent for each field, in this order: a snapshot holds all that comes before it. */
const CALLS = {
  reset: 'POST /reset',
  clock: 'PUT /clock',
  faults: 'POST /faults',
  snapshots: 'POST /snapshots',
} as const satisfies Readonly<Record<string, Route>>;

const FIELDS = ['key', ...Object.keys(CALLS)];
const MANY = ['faults', 'snapshots'];
/** Fixtures may be in it. */
const MAX_BYTES = 32 * 1024 * 1024;

interface Step {
  readonly location: string;
  readonly route: Route;
  readonly body: JsonValue;
}

/** The steps for each key. */
export interface Setup {
  /** The file as errors name it. */
  readonly name: string;
  readonly steps: ReadonlyMap<string, readonly Step[]>;
}

/**
 * @param setup the file, or its text: the services of a CI job start before the files of the repository are there
 * @throws {SettingsError} naming the file and the place in it
 */
export async function readSetup({
  setup,
  adminToken,
}: Pick<Settings, 'adminToken'> & { setup: string }): Promise<Setup> {
  const isText = /^\s*\{/.test(setup);
  const name = isText ? 'the setup' : `the setup ${setup}`;
  const fail = (why: string): never => {
    throw new SettingsError(`${name}: ${why}`);
  };
  let content: JsonValue;
  try {
    const bytes = isText ? Buffer.from(setup) : await readGivenFile(setup, MAX_BYTES);
    content = parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new SettingsError(`${name} cannot be read: ${(cause as Error).message}`, { cause });
  }
  const form =
    'it must be an object like {"sandboxes": [{"key": "my-own-key-0123456789", "reset": {"fixture": "empty"}}]}';
  if (!isObject(content) || !Array.isArray(content['sandboxes'])) return fail(form);
  for (const field of Object.keys(content))
    if (field !== 'sandboxes') fail(`${field} ${notKnown(field, ['sandboxes'])}`);
  const steps = new Map<string, Step[]>();
  for (const [index, entry] of content['sandboxes'].entries()) {
    const location = `sandboxes/${index}`;
    if (!isObject(entry)) return fail(`${location} must be a JSON object; got ${kindOf(entry, 60)}`);
    for (const field of Object.keys(entry))
      if (!FIELDS.includes(field)) fail(`${location}/${field} ${notKnown(field, FIELDS)}`);
    const key = keyIn(entry, (why) => fail(`${location}/key must be ${why}`));
    if (key === adminToken) fail(`${location}/key is the admin token; choose another`);
    if (steps.has(key)) fail(`${location}/key is that of another sandbox in this file; give each its own`);
    steps.set(key, stepsIn(entry, location, fail));
  }
  return { name, steps };
}

/** Errors never quote a key. */
function keyIn({ key }: JsonObject, fail: (why: string) => never): string {
  if (typeof key !== 'string') return fail('a string, the key that opens the sandbox');
  try {
    return secret(key);
  } catch (cause) {
    return fail((cause as Error).message);
  }
}

const stepsIn = (entry: JsonObject, location: string, fail: (why: string) => never): Step[] =>
  Object.entries(CALLS).flatMap(([name, route]) => {
    const value = entry[name];
    if (value === undefined) return [];
    if (!MANY.includes(name)) return [{ location: `${location}/${name}`, route, body: value }];
    if (!Array.isArray(value)) return fail(`${location}/${name} must be a list; got ${kindOf(value, 60)}`);
    return value.map((body, index) => ({ location: `${location}/${name}/${index}`, route, body }));
  });

/**
 * Takes the steps of each sandbox that this start has created: one that was there before keeps its state.
 * @param startedAt in milliseconds since 1970
 * @throws {SettingsError} naming the file and the place in it
 */
export async function applySetup({ name, steps }: Setup, parts: Parts, startedAt: number): Promise<void> {
  for (const [key, ofKey] of steps) {
    const opened = parts.sandboxes.open(hashOf(key));
    if (opened && opened.sandbox.record.createdAt < startedAt) continue;
    const client = new ControlsClient({ url: '', credential: key, fetch: parts.callLocally });
    for (const { location, route, body } of ofKey) {
      try {
        await client.request(route, { body } as never);
      } catch (cause) {
        if (!(cause instanceof ClientError)) throw cause;
        throw new SettingsError(`${name}: ${location}: ${cause.message}`, { cause });
      }
    }
  }
}
