/**
 * An exchange while its request is under way. It begins when the request's head is there, is filled in on the way, and
 * is closed by the answer: once, whoever gives it.
 */
import { isoTime, stopwatch } from '../clock.ts';
import type {
  CutBodies,
  Decision,
  DocumentName,
  Exchange,
  Problem,
  RecordedAnswer,
  RecordedRequest,
  Verdict,
} from '../exchange.ts';
import { shorten } from '../wording.ts';
import { type HeavyLane, LIGHT } from './heavy-lane.ts';
import type { Hold, Holder, InFlight } from './in-flight.ts';

const UNDECIDED: Decision = { kind: 'undecided' };
const ACCEPTED: Decision = { kind: 'accepted' };
const NO_ANSWER: RecordedAnswer = { status: 0, contentType: undefined, body: '' };

declare global {
  // biome-ignore lint/style/noNamespace: the one way in which Express lets a request carry more
  namespace Express {
    interface Request {
      exchange: OpenExchange;
    }
  }
}

/** Where exchanges take place. */
export interface Surroundings {
  /** Resolves when there is room for one more exchange of this owner; `undefined` when there is already. */
  readonly room: (owner: string) => Promise<void> | undefined;
  readonly lane: HeavyLane;
  /** Where large bodies find room. */
  readonly inFlight: InFlight;
  /** Takes each exchange once it is closed. */
  readonly done: (exchange: Exchange) => void;
}

export class OpenExchange implements Exchange, Holder {
  readonly id: string;
  readonly at: number;
  readonly request: { -readonly [K in keyof RecordedRequest]: RecordedRequest[K] };
  document: DocumentName = 'interface';
  operation: string | undefined = undefined;
  sandbox: string | undefined = undefined;
  owner = '';
  decision: Decision = UNDECIDED;
  injected: string | undefined = undefined;
  answer: RecordedAnswer = NO_ANSWER;
  durationMs = 0;
  verdict: Verdict | undefined = undefined;
  cut: CutBodies | undefined = undefined;
  hold: Hold | undefined = undefined;
  /** Headers that go out with the answer whatever it is, as name, value, name, value. */
  headers: readonly string[] = [];
  /** Where its large bodies find room. */
  readonly room: InFlight;
  readonly #started = stopwatch();
  readonly #surroundings: Surroundings;

  /** @param at real time in milliseconds since 1970 */
  constructor(id: string, request: RecordedRequest, at: number, surroundings: Surroundings) {
    this.id = id;
    this.room = surroundings.inFlight;
    this.request = request;
    this.at = at;
    this.#surroundings = surroundings;
  }

  /**
   * It is known whose request it is, or that it is nobody's.
   *
   * @returns what to await before anything else: when the referee falls behind, requests wait rather than go unjudged
   */
  belongTo(owner: string): Promise<void> | undefined {
    this.owner = owner;
    this.#surroundings.lane.saw(owner);
    return this.#surroundings.room(owner);
  }

  /** Does a piece of work that may be heavy when its turn comes, see `HeavyLane.run`. */
  inTurn<T>(weight: number, work: () => T | Promise<T>): Promise<T> {
    return this.#surroundings.lane.run(this.owner, weight, work);
  }

  /** As `inTurn`, for a request with a body of so many bytes. The referee gets the body too: there must be room for it. */
  async inTurnWithBody<T>(bytes: number, work: () => T | Promise<T>): Promise<T> {
    if (bytes > LIGHT) await this.#surroundings.room(this.owner);
    return this.inTurn(bytes, work);
  }

  /** The service takes the request as it is. */
  accept(): void {
    this.decision = ACCEPTED;
  }

  /** The service refuses the request, for these reasons. */
  refuse(problems: readonly Problem[]): void {
    this.decision = { kind: 'refused', problems };
  }

  /** The answer went out: nothing changes any more but the verdict. */
  close(answer: RecordedAnswer): void {
    if (this.answer !== NO_ANSWER) return;
    this.answer = answer;
    this.durationMs = stopwatch() - this.#started;
    this.#surroundings.done(this);
  }

  /** Takes room for a response. @returns `undefined` when there is room, or none is needed; else a promise of some */
  roomFor(characters: number): Promise<void> | undefined {
    return this.room.forAnswer(this, characters);
  }

  /** The client is gone: nothing is recorded, and room is given back. */
  abandon(): void {
    if (this.answer === NO_ANSWER) this.room.leave(this);
  }

  /** For logs: what it was, without what was in it. */
  get summary(): object {
    const { method, target } = this.request;
    return { request: this.id, at: isoTime(this.at), method, target: shorten(target, 200), status: this.answer.status };
  }
}
