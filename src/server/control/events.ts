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
    const stream = new Subscription(call, sandbox, context);
    return { status: 200, contentType: TYPE, headers: UNBUFFERED, body: '', stream };
  },
});

/** One listener, from its request on: events from before its head was sent follow with the first bytes. */
class Subscription implements Listener, ResponseStream {
  readonly seesUnmatched: boolean;
  readonly #open: (res: Response) => EventStream;
  readonly #leave: () => void;
  readonly #early: SandboxEvent[] = [];
  #hasEnded = false;
  #stream: EventStream | undefined;

  /** @throws {ApiError} `limit_reached`, `shutting_down` */
  constructor(call: ControlCall, sandbox: Sandbox, context: ControlContext) {
    this.seesUnmatched = maySeeUnmatched(call, context);
    const { next } = context.requestLogs.of(sandbox);
    this.#open = (res) => new EventStream(call, res, sandbox, context, next);
    this.#leave = context.events.listen(sandbox, this);
  }

  begin(req: Request, res: Response): void {
    this.#stream = this.#open(res);
    this.#stream.begin(req, this.#leave);
    for (const event of this.#early) this.#stream.notify(event);
    if (this.#hasEnded) this.#stream.end();
  }

  cancel(): void {
    this.#leave();
  }

  wake(): void {
    this.#stream?.wake();
  }

  notify(event: SandboxEvent): void {
    if (this.#stream) this.#stream.notify(event);
    else this.#early.push(event);
  }

  notifyUnmatched(text: string): void {
    this.#stream?.notifyUnmatched(text);
  }

  end(): void {
    this.#hasEnded = true;
    this.#stream?.end();
  }
}

/**
 * One reader: a position in the request log that advances as exchanges are settled, so little memory is needed for a slow
 * reader. If the request log evicts exchanges that it has not received, the reader is disconnected.
 */
class EventStream {
  readonly #res: Response;
  readonly #sandbox: Sandbox;
  readonly #requestLog: RequestLog;
  readonly #context: ControlContext;
  /** The id of the key that opened it; the admin has none. */
  readonly #key: string | undefined;
  /** Number of the next exchange to be sent. */
  #at: number;
  /** The request log was cleared, and the reader has not been notified yet. */
  #late: string | undefined;
  #isDue = false;
  #isStuck = false;

  /** @param at the number of the first exchange to be sent */
  constructor(call: ControlCall, res: Response, sandbox: Sandbox, context: ControlContext, at: number) {
    this.#res = res;
    this.#sandbox = sandbox;
    this.#requestLog = context.requestLogs.of(sandbox);
    this.#context = context;
    this.#key = call.key?.id;
    this.#at = at;
  }

  begin(req: Request, leave: () => void): void {
    const last = req.headers['last-event-id'];
    if (typeof last === 'string' && last !== '') {
      // The last received exchange may have been evicted: then everything in the request log is newer.
      this.#at = (this.#requestLog.numberOf(last) ?? this.#requestLog.first - 1) + 1;
    }
    // Proxies and `fetch` forward the head with the first bytes.
    this.#res.write(': the events of this sandbox\nretry: 1000\n\n');
    const heart = setInterval(() => this.#beat(), this.#context.heartbeatMs);
    this.#res.on('drain', () => this.wake());
    // A client that half-closes its connection ends the stream, although other responses are still sent to such a
    // client.
    const end = (): void => this.end();
    req.socket.once('end', end);
    this.#res.on('close', () => {
      clearInterval(heart);
      req.socket.off('end', end);
      leave();
    });
    this.wake();
  }

  /** Sends in the next turn: many exchanges are often settled at once. */
  wake(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    setImmediate(() => {
      this.#isDue = false;
      this.#send(MOST_AT_ONCE);
    });
  }

  notifyUnmatched(text: string): void {
    if (this.#res.writableEnded) return;
    // Anyone can cause these events, so they must not get a slow reader disconnected.
    if (!this.#isFull()) this.#res.write(text);
    if (!this.#mayStay()) this.end();
  }

  notify(event: SandboxEvent): void {
    if (this.#res.writableEnded) return;
    const text = eventText(event, this.#context.redact);
    if (event.event === 'cleared' && this.#isFull()) {
      // Cleared exchanges are not sent; a slow reader continues after the clear.
      this.#at = this.#requestLog.first;
      this.#late = text;
    } else {
      this.#send();
      if (this.#isFull()) this.#res.destroy();
      else this.#res.write(text);
    }
    if (!this.#mayStay()) this.end();
  }

  end(): void {
    this.#res.end();
    const parting = setTimeout(() => this.#res.destroy(), PARTING_MS);
    this.#res.on('close', () => clearTimeout(parting));
  }

  /** When about this many bytes are buffered, writing pauses until the reader has received them. */
  #isFull(): boolean {
    return this.#res.writableLength >= this.#context.memory.events;
  }

  /** A stream ends with the key that opened it. */
  #mayStay(): boolean {
    const present = this.#sandbox.record.keys.find(({ id }) => id === this.#key);
    return this.#key === undefined || (present !== undefined && isActive(present, this.#context.clock.now()));
  }

  #send(most = Number.POSITIVE_INFINITY): void {
    const res = this.#res;
    const requestLog = this.#requestLog;
    if (res.writableEnded) return;
    if (this.#at < requestLog.first) {
      if (this.#isFull()) {
        res.destroy();
        return;
      }
      // Evicted before it was settled.
      this.#at = requestLog.first;
    }
    if (this.#late !== undefined && !this.#isFull()) {
      res.write(this.#late);
      this.#late = undefined;
    }
    for (let sent = 0; !this.#isFull() && !res.writableEnded && !res.destroyed; sent += 1) {
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

  #beat(): void {
    if (this.#isFull()) {
      if (this.#isStuck) this.#res.destroy();
      this.#isStuck = true;
      return;
    }
    this.#isStuck = false;
    if (this.#mayStay()) this.#res.write(': still here\n\n');
    else this.end();
  }
}
