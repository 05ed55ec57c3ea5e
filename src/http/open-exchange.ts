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

export class OpenExchange implements Exchange, Holder {
  readonly id: string;
  readonly at: number;
  readonly request: { -readonly [K in keyof RecordedRequest]: RecordedRequest[K] };
  document: DocumentName = 'interface';
  operation: string | undefined = undefined;
  sandbox: string | undefined = undefined;
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
  readonly #done: (exchange: Exchange) => void;

  /** @param at real time in milliseconds since 1970 @param done takes the exchange once it is closed */
  constructor(id: string, request: RecordedRequest, at: number, room: InFlight, done: (exchange: Exchange) => void) {
    this.id = id;
    this.room = room;
    this.request = request;
    this.at = at;
    this.#done = done;
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
    this.#done(this);
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
