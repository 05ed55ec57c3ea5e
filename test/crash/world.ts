/** What a client knows of one sandbox: what it sent, what was acknowledged, and so what must be there after a crash. */

export interface SentPet {
  /** Unlike every other that was ever sent. */
  readonly name: string;
  readonly categoryId: number;
  readonly status?: string;
}

/** A moment: those of one run are numbered in their order. `undefined`: never acknowledged. */
type Moment = number;

interface Create {
  readonly pet: SentPet;
  readonly sent: Moment;
  acknowledged?: Moment;
  id?: number;
}

interface Reset {
  readonly sent: Moment;
  acknowledged?: Moment;
}

/** Before everything that a round sends. */
const BEFORE: Moment = -1;

export class Model {
  readonly sandbox: string;
  readonly key: string;
  #creates: Create[] = [];
  #resets: Reset[] = [];
  /** Whether something was sent since it was compared last. */
  isChanged = true;

  constructor(sandbox: string, key: string) {
    this.sandbox = sandbox;
    this.key = key;
  }

  /** Notes a create that is being sent; call what it returns with the id when that is acknowledged. */
  create(pet: SentPet, now: () => Moment): (id: number) => void {
    const create: Create = { pet, sent: now() };
    this.#creates.push(create);
    this.isChanged = true;
    return (id) => Object.assign(create, { id, acknowledged: now() });
  }

  /** Notes a reset that is being sent; call what it returns when that is acknowledged. */
  reset(now: () => Moment): () => void {
    const reset: Reset = { sent: now() };
    this.#resets.push(reset);
    this.isChanged = true;
    return () => Object.assign(reset, { acknowledged: now() });
  }

  /** How many creates and resets were acknowledged since the last crash. */
  get acknowledged(): { creates: number; resets: number } {
    const creates = this.#creates.filter(({ sent, id }) => sent !== BEFORE && id !== undefined);
    return { creates: creates.length, resets: this.#resets.filter((reset) => reset.acknowledged).length };
  }

  /** The names of pets that it certainly has now: none, once a reset was sent. */
  get certain(): string[] {
    if (this.#resets.length > 0) return [];
    return this.#creates.filter(({ acknowledged }) => acknowledged !== undefined).map(({ pet }) => pet.name);
  }

  /** Compares with what is there after a crash: one line for each thing that is wrong. */
  wrongs(found: ReadonlyMap<number, SentPet>): string[] {
    return [
      ...this.#creates.flatMap((create) => this.#wrongOf(create, found)),
      ...this.#foreign(found),
      ...this.#halfReset(found),
      ...this.#repeated(),
    ].map((wrong) => `${this.sandbox}: ${wrong}`);
  }

  /** What was found is what the next round begins with. */
  settle(found: ReadonlyMap<number, SentPet>): void {
    this.#creates = [...found].map(([id, pet]) => ({ pet, sent: BEFORE, acknowledged: BEFORE, id }));
    this.#resets = [];
    this.isChanged = false;
  }

  #wrongOf({ pet, sent, acknowledged, id }: Create, found: ReadonlyMap<number, SentPet>): string[] {
    if (id === undefined || acknowledged === undefined) return [];
    const isThere = found.get(id)?.name === pet.name;
    const about = `pet ${id} (${pet.name}), acknowledged at ${acknowledged}`;
    const wiped = this.#resets.find((reset) => reset.acknowledged !== undefined && reset.sent > acknowledged);
    if (wiped && isThere) return [`${about}, is there after the reset that began at ${wiped.sent}`];
    // A reset that was under way at the same time may have come first or last.
    const mayBeWiped = this.#resets.some((reset) => (reset.acknowledged ?? Infinity) > sent);
    return mayBeWiped || isThere ? [] : [`${about}, is missing`];
  }

  /** What is there was sent, as it is there, and under no other id than the acknowledged one. */
  #foreign(found: ReadonlyMap<number, SentPet>): string[] {
    const byName = new Map(this.#creates.map((create) => [create.pet.name, create]));
    return [...found].flatMap(([id, pet]) => {
      const create = byName.get(pet.name);
      if (!create) return [`pet ${id} is there, and nobody sent it since the last crash: ${JSON.stringify(pet)}`];
      if (create.id !== undefined && create.id !== id)
        return [`${pet.name} was acknowledged as ${create.id}, not ${id}`];
      const sent = JSON.stringify(create.pet);
      return JSON.stringify(pet) === sent ? [] : [`pet ${id} was sent as ${sent} and is ${JSON.stringify(pet)}`];
    });
  }

  /** A reset that the crash cut off has happened or has not: all that was there before it stays or goes together. */
  #halfReset(found: ReadonlyMap<number, SentPet>): string[] {
    const open = this.#resets.filter((reset) => reset.acknowledged === undefined);
    if (open.length === 0) return [];
    const from = Math.min(...open.map(({ sent }) => sent));
    const lastWhole = Math.max(BEFORE - 1, ...this.#resets.map((reset) => reset.acknowledged ?? BEFORE - 1));
    const before = this.#creates.filter(
      ({ sent, acknowledged }) => acknowledged !== undefined && acknowledged < from && sent > lastWhole,
    );
    const left = before.filter(({ id, pet }) => found.get(id as number)?.name === pet.name);
    return left.length === 0 || left.length === before.length
      ? []
      : [`a reset was cut off half way: ${left.length} of ${before.length} pets from before it are there`];
  }

  /** Within one life, from a reset to the next, no id is given out twice. */
  #repeated(): string[] {
    const first = new Map<number, Create>();
    return this.#creates.flatMap((create) => {
      if (create.id === undefined) return [];
      const other = first.get(create.id);
      first.set(create.id, create);
      return other && !this.#mayLieBetween(other, create)
        ? [`id ${create.id} was given to ${other.pet.name} and, without a reset between, to ${create.pet.name}`]
        : [];
    });
  }

  /** Whether some reset can have happened between two creates, whichever of them came first. */
  #mayLieBetween(one: Create, other: Create): boolean {
    return this.#resets.some(({ sent, acknowledged: end = Infinity }) => {
      const follows = (create: Create) => end > create.sent;
      const precedes = (create: Create) => sent < (create.acknowledged ?? Infinity);
      return (follows(one) && precedes(other)) || (follows(other) && precedes(one));
    });
  }
}
