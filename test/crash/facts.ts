/** What else was acknowledged beside creates and resets, and so what must be there after a crash. */
import type { Reply, TestRequest } from '../support/client.ts';

/** Asks a server that was started again. */
export type Ask = (request: TestRequest, key: string) => Promise<Reply>;

/** Something that was acknowledged. @returns what is wrong with it now, if anything is */
type Fact = (ask: Ask) => Promise<string | undefined>;

/** A sandbox that changes are made in. */
export interface Place {
  readonly key: string;
  /** Names of pets that it certainly has. */
  readonly certain: readonly string[];
}

const JSON_TYPE = { 'Content-Type': 'application/json' };
const withJson = (method: string, path: string, body: unknown): TestRequest => ({
  ...{ method, path, headers: JSON_TYPE, body: JSON.stringify(body) },
});

/** A key opens a sandbox with these pets. */
const opens =
  (what: string, key: string, names: readonly string[]): Fact =>
  async (ask) => {
    const { status, text } = await ask({ path: '/_sandbox/export?format=recording' }, key);
    if (status !== 200) return `${what} was acknowledged and cannot be opened: ${status} ${text}`;
    const missing = names.filter((name) => !text.includes(`"name":"${name}"`));
    return missing.length === 0 ? undefined : `${what} lacks ${missing.length} pets, such as ${missing[0]}`;
  };

/** What a path shows holds this text, or does not. */
const shows =
  (what: string, key: string, path: string, wanted: string, isThere = true): Fact =>
  async (ask) => {
    const { status, text } = await ask({ path }, key);
    return status === 200 && text.includes(wanted) === isThere ? undefined : `${what}: ${status} ${text.slice(0, 300)}`;
  };

export const KINDS = ['fork', 'import', 'drill', 'key', 'snapshot', 'fault'] as const;
export type Kind = (typeof KINDS)[number];

/** Every change that is made beside creates and resets, and what of it was acknowledged since the last look. */
export class Facts {
  readonly #recording: string;
  #facts: Fact[] = [];
  #made = 0;
  readonly counts = new Map<Kind, number>();

  /** @param recording that is imported, of pets with the names that `IMPORTED` has */
  constructor(recording: string) {
    this.#recording = recording;
  }

  /**
   * Makes a change, and notes what follows from its acknowledgment.
   * @param crowded is written to by others; the changes that reset or snapshot a sandbox are made in `own`
   */
  async make(kind: Kind, ask: Ask, crowded: Place, own: Place): Promise<void> {
    const facts = await this.#acknowledged(kind, ask, crowded, own);
    this.#facts.push(...facts);
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
  }

  /** How many changes were acknowledged since the last look, or are looked for again. */
  get acknowledged(): number {
    return this.#facts.length;
  }

  /** Looks for all that was acknowledged since the last time. */
  async wrongs(ask: Ask): Promise<string[]> {
    const found: string[] = [];
    for (const fact of this.#facts) {
      const wrong = await fact(ask);
      if (wrong !== undefined) found.push(wrong);
    }
    // Some are looked for after further crashes, too.
    this.#facts = this.#facts.filter((_, at) => at % 4 === 0).slice(-10);
    return found;
  }

  async #acknowledged(kind: Kind, ask: Ask, crowded: Place, own: Place): Promise<Fact[]> {
    const name = `n${++this.#made}`;
    const accepted = async (request: TestRequest, key: string): Promise<Reply> => {
      const reply = await ask(request, key);
      if (reply.status >= 300) throw new Error(`a change was rejected: ${kind}: ${reply.status} ${reply.text}`);
      return reply;
    };
    switch (kind) {
      case 'fork': {
        const { certain } = crowded;
        const { json } = await accepted(withJson('POST', '/_sandbox/fork', {}), crowded.key);
        // A reset that was sent meanwhile may have come before the fork.
        return [opens('a fork', json.key, crowded.certain.length === 0 ? [] : certain)];
      }
      case 'import': {
        const headers = { 'Content-Type': 'application/jsonl' };
        const { json } = await accepted(
          { method: 'POST', path: '/_sandbox/import', headers, body: this.#recording },
          own.key,
        );
        return [opens('an import', json.key, IMPORTED)];
      }
      case 'drill': {
        const { json } = await accepted(withJson('POST', '/_sandbox/keys', {}), own.key);
        await accepted(withJson('PUT', '/_sandbox/drill', { drill: 'outage' }), json.key);
        return [shows('a drill and its faults', json.key, '/_sandbox/faults', '"id":"flt_')];
      }
      case 'key': {
        const { json } = await accepted(withJson('POST', '/_sandbox/keys', { shared: true, label: name }), own.key);
        // A sandbox has a hundred keys at most.
        if (this.#made % 8 === 0) return [opens('a shared key', json.key, [])];
        await accepted({ method: 'DELETE', path: `/_sandbox/keys/${json.id}` }, own.key);
        return [
          async (again) =>
            (await again({ path: '/v1/pets' }, json.key)).status === 401 ? undefined : `${name}: a revoked key opens`,
        ];
      }
      case 'snapshot': {
        await accepted(withJson('POST', '/_sandbox/snapshots', { name }), own.key);
        if (this.#made % 5 === 0) return [shows(`the snapshot ${name}`, own.key, '/_sandbox/snapshots', `"${name}"`)];
        await accepted({ method: 'DELETE', path: `/_sandbox/snapshots/${name}` }, own.key);
        return [shows(`the deleted snapshot ${name}`, own.key, '/_sandbox/snapshots', `"${name}"`, false)];
      }
      default: {
        const { json } = await accepted(
          withJson('POST', '/_sandbox/faults', { operation: 'createPet', status: 503, name }),
          own.key,
        );
        await accepted({ method: 'DELETE', path: `/_sandbox/faults/${json.id}` }, own.key);
        return [shows('a deleted fault rule', own.key, '/_sandbox/faults', json.id, false)];
      }
    }
  }
}

/** The names of the pets of the recording that is imported. */
export const IMPORTED = ['imported 1', 'imported 2', 'imported 3'];

/** A recording of a sandbox that has them. */
export async function someRecording(ask: Ask, key: string): Promise<string> {
  for (const name of IMPORTED) await ask(withJson('POST', '/v1/pets', { name, categoryId: 1 }), key);
  return (await ask({ path: '/_sandbox/export?format=recording' }, key)).text;
}
