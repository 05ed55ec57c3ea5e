/** Reads server-sent events, one by one. */
import { once } from 'node:events';
import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';

export interface ServerEvent {
  readonly id: string | undefined;
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: what a test reads out of it, it also checks
  readonly data: any;
}

export class EventStream {
  /** Comments, without their colon. */
  readonly comments: string[] = [];
  /** Resolves when the stream ends, however it does. */
  readonly ended: Promise<void>;
  readonly #events: ServerEvent[] = [];
  readonly #wanted: ((event: ServerEvent) => void)[] = [];
  #rest = '';

  private constructor(
    readonly response: IncomingMessage,
    readonly skipped: string | undefined,
  ) {
    response.setEncoding('utf8');
    response.on('error', () => undefined);
    this.ended = new Promise((resolve) => response.on('close', resolve));
  }

  /** @param paused reads nothing until `resume` @param skipped events of this type are left out */
  static async open(
    base: string,
    {
      path = '/_sandbox/events',
      headers,
      paused = false,
      skipped,
    }: { path?: string; headers: OutgoingHttpHeaders; paused?: boolean; skipped?: string },
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
    this.response.on('data', (text: string) => this.#take(text));
  }

  /** The next event, in order; waits for it. */
  next(): Promise<ServerEvent> {
    const event = this.#events.shift();
    return event ? Promise.resolve(event) : new Promise((resolve) => this.#wanted.push(resolve));
  }

  async take(count: number): Promise<ServerEvent[]> {
    const events: ServerEvent[] = [];
    while (events.length < count) events.push(await this.next());
    return events;
  }

  /** What has come and was not taken. */
  get waiting(): readonly ServerEvent[] {
    return this.#events;
  }

  close(): void {
    this.response.destroy();
  }

  #take(text: string): void {
    const blocks = (this.#rest + text).split('\n\n');
    this.#rest = blocks.pop() ?? '';
    for (const block of blocks) this.#read(block.split('\n'));
  }

  #read(lines: readonly string[]): void {
    const fields: Record<string, string> = {};
    for (const line of lines) {
      if (line.startsWith(':')) this.comments.push(line.slice(1).trim());
      else fields[line.slice(0, line.indexOf(':'))] = line.slice(line.indexOf(':') + 1).trim();
    }
    const { id, event, data } = fields;
    if (data === undefined || (event !== undefined && event === this.skipped)) return;
    const read = { id, event: event ?? 'message', data: JSON.parse(data) };
    const wanted = this.#wanted.shift();
    if (wanted) wanted(read);
    else this.#events.push(read);
  }
}
