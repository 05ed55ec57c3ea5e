/** Reads server-sent events, one by one. */
import { once } from 'node:events';
import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { createParser } from 'eventsource-parser';

interface ServerEvent {
  readonly id: string | undefined;
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: what a test reads out of it, it also checks
  readonly data: any;
}

interface StreamOptions {
  readonly path?: string;
  readonly headers: OutgoingHttpHeaders;
  /** Reads nothing until `resume`. */
  readonly paused?: boolean;
  /** Events of this type are left out. */
  readonly skipped?: string;
}

export class EventStream {
  readonly comments: string[] = [];
  /** What has come and was not taken. */
  readonly waiting: ServerEvent[] = [];
  /** Resolves when the stream ends, however it does. */
  readonly ended: Promise<void>;
  readonly #wanted: ((event: ServerEvent) => void)[] = [];

  private constructor(
    readonly response: IncomingMessage,
    readonly skipped: string | undefined,
  ) {
    response.setEncoding('utf8');
    response.on('error', () => undefined);
    this.ended = new Promise((resolve) => response.on('close', resolve));
  }

  static async open(
    base: string,
    { path = '/_sandbox/events', headers, paused = false, skipped }: StreamOptions,
  ): Promise<EventStream> {
    const { hostname, port } = new URL(base);
    const req = request({ hostname, port, path, headers, agent: false });
    req.end();
    const [response] = (await once(req, 'response')) as [IncomingMessage];
    req.on('error', () => undefined);
    const stream = new EventStream(response, skipped);
    if (!paused) stream.resume();
    return stream;
  }

  resume(): void {
    const parser = createParser({
      onComment: (comment) => void this.comments.push(comment),
      onEvent: ({ id, event = 'message', data }) => {
        if (event === this.skipped) return;
        const read = { id, event, data: JSON.parse(data) };
        const wanted = this.#wanted.shift();
        if (wanted) wanted(read);
        else this.waiting.push(read);
      },
    });
    this.response.on('data', (text: string) => parser.feed(text));
  }

  /** The next event, in order; waits for it. */
  next(): Promise<ServerEvent> {
    const event = this.waiting.shift();
    return event ? Promise.resolve(event) : new Promise((resolve) => this.#wanted.push(resolve));
  }

  async take(count: number): Promise<ServerEvent[]> {
    const events: ServerEvent[] = [];
    while (events.length < count) events.push(await this.next());
    return events;
  }

  close(): void {
    this.response.destroy();
  }
}
