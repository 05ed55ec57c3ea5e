/** `GET /_sandbox/events`: server-sent events (HTML standard, section 9.2). */

import { isSettled } from '../../base/api/exchange.ts';
import type { SandboxEvent } from '../../base/api/sandbox-event.ts';
import { clearInterval, clearTimeout, setImmediate, setInterval, setTimeout } from '../../base/real-globals.ts';
import { isActive, type Sandbox } from '../../sandbox/sandbox.ts';
import { eventText, type Listener } from '../../traffic/events.ts';
import { redactedJson } from '../../traffic/redact.ts';
import type { RequestLog } from '../../traffic/request-log.ts';
import { exchangeSummaryOf } from '../../traffic/shown.ts';
import type { Request, Response } from '../http/open-exchange.ts';
import type { ResponseStream } from '../http/response.ts';
import type { ControlCall, ControlContext, Controls } from './control.ts';
import { maySeeUnmatched } from './unmatched.ts';

const TYPE = 'text/event-stream';
/** nginx would collect events until it has 4 KiB of them. */
const UNBUFFERED = ['X-Accel-Buffering', 'no'];
/** How long a reader may take to receive the rest when its stream ends. */
const PARTING_MS = 1_000;
/** Exchanges that a reader gets in one turn of the event loop: a reader that reconnects may have missed a thousand. */
const MOST_AT_ONCE = 16;

export const eventControls = (context: ControlContext): Controls => ({
  streamEvents: async (call) => {
    const sandbox = call.sandbox();
    if (call.req.method === 'HEAD') return { status: 200, contentType: TYPE, body: '' };
    // The validator checks the beginning of the stream, which shows its format.
    const stream = new EventStream(call, sandbox, context);
    return { status: 200, contentType: TYPE, headers: UNBUFFERED, body: '', stream };
  },
});

/**
 * One reader: a position in the request log that advances as exchanges are settled, so little memory is needed for a slow
 * reader. If the request log evicts exchanges that it has not received, the reader is disconnected. It listens from its request
 * on: events from before its head was sent follow with the first bytes.
 */
class EventStream implements Listener, ResponseStream {
  readonly seesUnmatched: boolean;
  readonly #sandbox: Sandbox;
  readonly #requestLog: RequestLog;
  readonly #context: ControlContext;
  /** The id of the key that opened it; the admin has none. */
  readonly #key: string | undefined;
  readonly #leave: () => void;
  /** `undefined` until its head was sent. */
  #res: Response | undefined;
  /** What happened before. */
  readonly #early: (() => void)[] = [];
  /** Number of the next exchange to be sent. */
  #at: number;
  #isDue = false;
  #isStuck = false;

  /** @throws {ApiError} `limit_reached`, `shutting_down` */
  constructor(call: ControlCall, sandbox: Sandbox, context: ControlContext) {
    this.seesUnmatched = maySeeUnmatched(call, context);
    this.#sandbox = sandbox;
    this.#requestLog = context.requestLogs.of(sandbox);
    this.#context = context;
    this.#key = call.key?.id;
    this.#at = this.#requestLog.next;
    this.#leave = context.events.listen(sandbox, this);
  }

  begin(req: Request, res: Response): void {
    this.#res = res;
    const last = req.headers['last-event-id'];
    if (typeof last === 'string' && last !== '') {
      // The last received exchange may have been evicted: then everything in the request log is newer.
      this.#at = (this.#requestLog.numberOf(last) ?? this.#requestLog.first - 1) + 1;
    }
    // Proxies and `fetch` forward the head with the first bytes.
    res.write(': the events of this sandbox\nretry: 1000\n\n');
    const heart = setInterval(() => this.#beat(res), this.#context.heartbeatMs);
    res.on('drain', () => this.wake());
    // A client that half-closes its connection ends the stream, although other responses are still sent to such a
    // client.
    const end = (): void => this.end();
    req.socket.once('end', end);
    res.on('close', () => {
      clearInterval(heart);
      req.socket.off('end', end);
      this.#leave();
    });
    this.wake();
    for (const happened of this.#early) happened();
  }

  cancel(): void {
    this.#leave();
  }

  /** Sends in the next turn: many exchanges are often settled at once. */
  wake(): void {
    const res = this.#res;
    if (!res || this.#isDue) return;
    this.#isDue = true;
    setImmediate(() => {
      this.#isDue = false;
      this.#send(res, MOST_AT_ONCE);
    });
  }

  notifyUnmatched(text: string): void {
    const res = this.#res;
    if (!res || res.writableEnded) return;
    // Anyone can cause these events, so they must not get a slow reader disconnected.
    if (!this.#isFull(res)) res.write(text);
    if (!this.#mayStay()) this.end();
  }

  notify(event: SandboxEvent): void {
    const res = this.#res;
    if (!res) this.#early.push(() => this.notify(event));
    if (!res || res.writableEnded) return;
    const text = eventText(event, this.#context.redact);
    this.#send(res);
    if (this.#isFull(res)) res.destroy();
    else res.write(text);
    if (!this.#mayStay()) this.end();
  }

  end(): void {
    const res = this.#res;
    if (!res) {
      this.#early.push(() => this.end());
      return;
    }
    res.end();
    const parting = setTimeout(() => res.destroy(), PARTING_MS);
    res.on('close', () => clearTimeout(parting));
  }

  /** When about this many bytes are buffered, writing pauses until the reader has received them. */
  #isFull(res: Response): boolean {
    return res.writableLength >= this.#context.memory.events;
  }

  /** A stream ends with the key that opened it. */
  #mayStay(): boolean {
    const present = this.#sandbox.record.keys.find(({ id }) => id === this.#key);
    return this.#key === undefined || (present !== undefined && isActive(present, this.#context.clock.now()));
  }

  #send(res: Response, most = Number.POSITIVE_INFINITY): void {
    const requestLog = this.#requestLog;
    if (res.writableEnded) return;
    if (this.#at < requestLog.first) {
      if (this.#isFull(res)) {
        res.destroy();
        return;
      }
      // Evicted before it was settled.
      this.#at = requestLog.first;
    }
    for (let sent = 0; !this.#isFull(res) && !res.writableEnded && !res.destroyed; sent += 1) {
      if (sent >= most) {
        this.wake();
        return;
      }
      const exchange = requestLog.at(this.#at);
      if (!exchange || !isSettled(exchange)) return;
      this.#at += 1;
      const data = redactedJson(exchangeSummaryOf(exchange), this.#context.redact);
      res.write(`id: ${exchange.id}\nevent: exchange\ndata: ${data}\n\n`);
    }
  }

  #beat(res: Response): void {
    if (this.#isFull(res)) {
      if (this.#isStuck) res.destroy();
      this.#isStuck = true;
      return;
    }
    this.#isStuck = false;
    if (this.#mayStay()) res.write(': still here\n\n');
    else this.end();
  }
}
