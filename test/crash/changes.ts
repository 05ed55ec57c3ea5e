/** What is changed under load beside creates, and what must be there after a crash once it was acknowledged. */
import { type At, accepted, type Crowd } from '../support/crowd.ts';

/** Something that must be true. @returns what is wrong with it, if anything is */
export type Fact = (at: At) => Promise<string | undefined>;

/** Where a change is made. */
interface Place {
  readonly at: At;
  /** The key of a sandbox in which nobody creates. */
  readonly own: string;
  readonly crowd: Crowd;
  /** A recording with three pets. */
  readonly recording: string;
  readonly name: string;
  /** Whether it stays, where it could be taken back: a sandbox has a hundred keys at most. */
  readonly isKept: boolean;
  readonly note: (fact: Fact) => void;
}

/** What a path shows holds this text, or does not. */
const shows =
  (key: string, path: string, wanted: string, isThere = true): Fact =>
  async (at) => {
    const { status, text } = await at(key).get(path);
    return status === 200 && text.includes(wanted) === isThere ? undefined : `${path}: ${status} ${text.slice(0, 300)}`;
  };

/** A key opens a sandbox that has the right number of pets. */
const holds =
  (what: string, key: string, isRight: (pets: number) => boolean): Fact =>
  async (at) => {
    const { status, text, json } = await at(key).get('/_sandbox');
    return status === 200 && isRight(json.pets.total) ? undefined : `${what}: ${status} ${text}`;
  };

const newKey = async (at: At, own: string): Promise<string> =>
  accepted(await at(own).post('/_sandbox/keys', {})).json.key;

/** Every kind of change beside creates. */
export const CHANGES: Readonly<Record<string, (place: Place) => Promise<void>>> = {
  fork: async ({ at, crowd, note }) => {
    const least = crowd.size;
    const { json } = accepted(await at(crowd.key).post('/_sandbox/fork', {}));
    note(holds('a fork', json.key, (pets) => pets >= least));
  },
  import: async ({ at, own, recording, note }) => {
    const { json } = accepted(await at(own).importRecording(recording));
    note(holds('an import', json.key, (pets) => pets === 3));
  },
  drill: async ({ at, own, note }) => {
    const key = await newKey(at, own);
    accepted(await at(key).put('/_sandbox/drill', { drill: 'outage' }));
    note(shows(key, '/_sandbox/faults', '"id":"flt_'));
  },
  reset: async ({ at, own, note }) => {
    const key = await newKey(at, own);
    accepted(await at(key).post('/_sandbox/pets', { count: 20 }));
    let isDone = false;
    // One that was cut off has happened or not, but not by half.
    note(holds('a reset', key, (pets) => pets === 0 || (pets === 20 && !isDone)));
    accepted(await at(key).post('/_sandbox/reset', {}));
    isDone = true;
  },
  key: async ({ at, own, name, isKept, note }) => {
    const { json } = accepted(await at(own).post('/_sandbox/keys', { shared: true, label: name }));
    if (isKept) return note(holds('a shared key', json.key, () => true));
    accepted(await at(own).delete(`/_sandbox/keys/${json.id}`));
    note(async (again) => ((await again(json.key).get('/v1/pets')).status === 401 ? undefined : 'a revoked key opens'));
  },
  snapshot: async ({ at, own, name, isKept, note }) => {
    accepted(await at(own).post('/_sandbox/snapshots', { name }));
    if (!isKept) accepted(await at(own).delete(`/_sandbox/snapshots/${name}`));
    note(shows(own, '/_sandbox/snapshots', `"${name}"`, isKept));
  },
  fault: async ({ at, own, isKept, note }) => {
    const { json } = accepted(await at(own).post('/_sandbox/faults', { operation: 'createPet', status: 503 }));
    if (!isKept) accepted(await at(own).delete(`/_sandbox/faults/${json.id}`));
    note(shows(own, '/_sandbox/faults', json.id, isKept));
  },
};
