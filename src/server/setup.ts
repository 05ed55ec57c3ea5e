/**
 * The start state as a file: preconfigured keys, each with what the control API would be sent for it. The control API reads
 * these bodies itself, so its schemas and messages hold here too.
 */

import { dirname, resolve } from 'node:path';
import { TextDecoder } from 'node:util';
import { hashOf } from '../api/api-key.ts';
import { ApiError } from '../api/errors.ts';
import { ControlsClient } from '../client/client.ts';
import { ClientError } from '../client/errors.ts';
import type { ControlRoute } from '../client/routes.ts';
import { readGivenFile } from '../core/given-file.ts';
import { isObject, type JsonObject, type JsonValue, parseJson } from '../core/int64.ts';
import { MAX_RECORDING_BYTES } from '../core/limits.ts';
import { fileName, isAndSent, kindOf, notKnown } from '../core/text.ts';
import { openRecording } from '../recording/open.ts';
import { readRecording } from '../recording/read.ts';
import type { Recording } from '../recording/recording.ts';
import { secret } from '../settings/setting-values.ts';
import { type Settings, SettingsError } from '../settings/settings.ts';
import type { ServerParts } from './wiring.ts';

/** What is sent for each field, in this order, after a recording: a snapshot contains everything before it. */
const CALLS = {
  reset: 'POST /reset',
  clock: 'PUT /clock',
  faults: 'POST /faults',
  snapshots: 'POST /snapshots',
} as const satisfies Readonly<Record<string, ControlRoute>>;

const FIELDS = ['key', 'recording', ...Object.keys(CALLS)];
const MANY = ['faults', 'snapshots'];
/** Fixtures may be in it. */
const MAX_SETUP_BYTES = 32 * 1024 * 1024;

interface SetupStep {
  readonly location: string;
  readonly route: ControlRoute;
  readonly body: JsonValue;
}

/** What a sandbox begins with. */
interface Beginning {
  /** Its place in the file. */
  readonly location: string;
  /** Already read; the steps are applied to it. */
  readonly recording: Recording | undefined;
  readonly steps: readonly SetupStep[];
}

export interface Setup {
  /** The file as errors name it. */
  readonly name: string;
  /** By key. */
  readonly sandboxes: ReadonlyMap<string, Beginning>;
}

/**
 * @param setup the file, or its text: the services of a CI job start before the files of the repository are there
 * @throws {SettingsError} naming the file and the place in it
 */
export async function readSetup({
  setup,
  adminToken,
}: Pick<Settings, 'adminToken'> & { setup: string }): Promise<Setup> {
  const isText = isContent(setup);
  const name = isText ? 'the setup' : `the setup ${fileName(setup)}`;
  const fail = (why: string): never => {
    throw new SettingsError(`${name}: ${why}`);
  };
  const content = await setupContent(setup, name, isText);
  const form =
    'it must be an object like {"sandboxes": [{"key": "my-own-key-0123456789", "reset": {"fixture": "empty"}}]}';
  if (!isObject(content) || !Array.isArray(content['sandboxes'])) return fail(form);
  for (const field of Object.keys(content))
    if (field !== 'sandboxes') fail(`${field} ${notKnown(field, ['sandboxes'])}`);
  const sandboxes = new Map<string, Beginning>();
  const folder = isText ? '.' : dirname(setup);
  for (const [index, entry] of content['sandboxes'].entries()) {
    const location = `sandboxes/${index}`;
    if (!isObject(entry)) return fail(`${location} ${isAndSent('a JSON object', kindOf(entry, 60))}`);
    for (const field of Object.keys(entry))
      if (!FIELDS.includes(field)) fail(`${location}/${field} ${notKnown(field, FIELDS)}`);
    const key = setupKey(entry, (why) => fail(`${location}/key ${why}`));
    if (key === adminToken) fail(`${location}/key is the admin token; choose another`);
    if (sandboxes.has(key)) fail(`${location}/key is that of another sandbox in this file; give each its own`);
    const recording = await recordingIn(entry, folder, (why) => fail(`${location}/recording ${why}`));
    sandboxes.set(key, { location, recording, steps: stepsIn(entry, location, fail) });
  }
  return { name, sandboxes };
}

/** Whether it is meant as the text of a file: JSON, perhaps in quotation marks or without its first brace, or YAML. */
const isContent = (text: string): boolean => /^\s*["'[{]|\n/.test(text);

async function setupContent(setup: string, name: string, isText: boolean): Promise<JsonValue> {
  try {
    const bytes = isText ? Buffer.from(setup) : await readGivenFile(setup, MAX_SETUP_BYTES);
    return parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new SettingsError(`${name} cannot be read: ${(cause as Error).message}`, { cause });
  }
}

/** @param folder where its file is looked for */
async function recordingIn(
  { recording, reset }: JsonObject,
  folder: string,
  fail: (why: string) => never,
): Promise<Recording | undefined> {
  if (recording === undefined) return undefined;
  if (typeof recording !== 'string')
    return fail(isAndSent('the text of a recording, or its file', kindOf(recording, 60)));
  if (reset !== undefined) return fail('and reset exclude each other: a recording has its own pets');
  const isText = isContent(recording);
  const named = isText ? '' : `${fileName(recording)}: `;
  try {
    const file = resolve(folder, recording);
    return await readRecording(isText ? Buffer.from(recording) : await readGivenFile(file, MAX_RECORDING_BYTES));
  } catch (cause) {
    const { message } = cause as Error;
    return fail(`cannot be opened: ${named}${message}`);
  }
}

/** Errors never quote a key. */
function setupKey({ key }: JsonObject, fail: (why: string) => never): string {
  if (typeof key !== 'string') return fail('is a string, the key that opens the sandbox');
  try {
    return secret(key);
  } catch (cause) {
    return fail((cause as Error).message);
  }
}

const stepsIn = (entry: JsonObject, location: string, fail: (why: string) => never): SetupStep[] =>
  Object.entries(CALLS).flatMap(([name, route]) => {
    const value = entry[name];
    if (value === undefined) return [];
    if (!MANY.includes(name)) return [{ location: `${location}/${name}`, route, body: value }];
    if (!Array.isArray(value)) return fail(`${location}/${name} ${isAndSent('a list', kindOf(value, 60))}`);
    return value.map((body, index) => ({ location: `${location}/${name}/${index}`, route, body }));
  });

/**
 * Sets up each sandbox that this start has created: one that was there before keeps its state.
 * @param startedAt in milliseconds since 1970
 * @throws {SettingsError} naming the file and the place in it
 */
export async function applySetup({ name, sandboxes }: Setup, parts: ServerParts, startedAt: number): Promise<void> {
  for (const [key, { location, recording, steps }] of sandboxes) {
    const opened = parts.sandboxes.open(hashOf(key));
    if (opened && opened.sandbox.record.createdAt < startedAt) continue;
    if (opened && recording) {
      parts.sandboxes.end(opened.sandbox);
      const into = { ...parts, sandboxes: preconfiguredWith(key, parts) };
      await naming(`${name}: ${location}/recording`, openRecording(recording, into));
    }
    const client = new ControlsClient({ url: '', credential: key, fetch: parts.callLocally });
    for (const { location: at, route, body } of steps)
      await naming(`${name}: ${at}`, client.request(route, { body } as never));
  }
}

/** @throws {SettingsError} where the server rejects it */
async function naming(what: string, work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (cause) {
    if (!(cause instanceof ClientError) && !(cause instanceof ApiError)) throw cause;
    throw new SettingsError(`${what}: ${cause.message}`, { cause });
  }
}

const preconfiguredWith = (
  key: string,
  { sandboxes }: ServerParts,
): Parameters<typeof openRecording>[1]['sandboxes'] => ({
  restore: (state, { label }) => sandboxes.restorePreconfigured(key, state, label),
});
