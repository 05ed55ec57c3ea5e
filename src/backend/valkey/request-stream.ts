/** Reads the request log of a sandbox from its stream in Valkey into that of this process. */
import type { Exchange } from '../../api/exchange.ts';
import { nextTurn, setTimeout } from '../../core/real-globals.ts';
import { isoTime } from '../../core/time.ts';
import type { Events } from '../../requests/events.ts';
import { type Redact, redactedJson } from '../../requests/redact.ts';
import { MAX_EXCHANGES } from '../../requests/request-log.ts';
import type { RequestLogs } from '../../requests/request-logs.ts';
import { type SavedTallies, savedTallies } from '../../requests/tallies.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { ValkeyClient } from './client.ts';
import { exchangeOfShared, sharedTextOf } from './exchange-text.ts';
import { checkpointKey, requestLogKey, streamKeys, wholeKey } from './names.ts';
import { RequestOrder, type SavedPending, type StreamField, type StreamOutcome } from './request-order.ts';
import { ADD, KEEP, READ } from './scripts.ts';

/** A request without an answer, of which no server gave a sign for so long, is lost. In milliseconds. */
const LOST_AFTER_MS = 15_000;
const LOOK_AGAIN_MS = 10;
/** A request that took long may be answered, and the entry that says so on its way. */
const ANSWERED_WITHIN_MS = 50;
/** Entries that are read at once. */
const PAGE = 500;
/** A checkpoint is written whenever so many exchanges were added. */
export const KEEP_EVERY = 250;
/** Before all entries. */
const BEGINNING = '0-0';

type StreamEntry = readonly [position: string, fields: readonly string[]];

/** A place in the stream, and what was pending there. */
interface Place {
  readonly position: string;
  /** Exchanges of the request log up to there, with those that were cleared. */
  readonly added: number;
  readonly pending: readonly SavedPending[];
}

/** The fold of the stream up to `upTo`. The stream has the entries since `from`, with the newest exchanges. */
interface Checkpoint {
  readonly from: Place;
  readonly upTo: string;
  readonly added: number;
  readonly total: number;
  readonly lost: number;
  readonly tallies: SavedTallies;
}

interface RequestStreamOptions {
  readonly valkey: ValkeyClient;
  readonly requestLogs: RequestLogs;
  readonly events: Events;
  readonly redact: Redact;
}

export class RequestStream {
  readonly sandbox: Sandbox;
  readonly #options: RequestStreamOptions;
  #order: RequestOrder;
  /** The last entry that was read. */
  #position = BEGINNING;
  #isBegun = false;
  #added = 0;
  /** `#added` at the newest checkpoint. */
  #kept = 0;
  /** Where a checkpoint can begin, the oldest first. */
  #places: Place[] = [];
  /** Until all that the checkpoint counts is read. */
  #restoring: { readonly checkpoint: Checkpoint; exchanges: Exchange[] } | undefined;
  #reading: Promise<void> = Promise.resolve();
  /** Exchanges of this process: their texts need not be read. */
  readonly #own = new Map<string, Exchange>();

  constructor(sandbox: Sandbox, options: RequestStreamOptions) {
    this.sandbox = sandbox;
    this.#options = options;
    this.#order = this.#newOrder();
  }

  /** This process answered a request, and has its verdict. */
  remember(exchange: Exchange): void {
    if (this.#own.size < MAX_EXCHANGES) this.#own.set(exchange.id, exchange);
  }

  /** @param isWaiting whether to wait for the verdicts of requests that arrived before, wherever they are answered */
  read(isWaiting: boolean): Promise<void> {
    const next = this.#reading.then(() => this.#readAll(isWaiting));
    this.#reading = next.catch(() => undefined);
    return next;
  }

  /** The store may have lost what was read: all is read again. */
  forget(): void {
    this.#isBegun = false;
  }

  async #readAll(isToWait: boolean): Promise<void> {
    let isWaiting = isToWait;
    let awaited: readonly string[] | undefined;
    for (;;) {
      const now = await this.#catchUp();
      const silent = this.#order.silentSince(now - LOST_AFTER_MS);
      if (silent.length > 0) {
        const keys = streamKeys(this.sandbox.id);
        const fields = ['x' satisfies StreamField, silent.join(' ')];
        // A full store: the request log is not whole any more, and nothing can be waited for.
        if ((await this.#options.valkey.run(ADD, keys, fields)) === 0) isWaiting = false;
        await this.#catchUp();
      }
      if (isWaiting && !awaited && this.#order.isHolding) {
        await new Promise((done) => setTimeout(done, ANSWERED_WITHIN_MS));
        await this.#catchUp();
      }
      awaited ??= this.#order.waiting;
      if (!isWaiting || !awaited.some((id) => this.#order.isWaiting(id))) break;
      await new Promise((done) => setTimeout(done, LOOK_AGAIN_MS));
    }
    if (this.#added - this.#kept >= KEEP_EVERY) await this.#keep();
  }

  /** Reads what is new. @returns the time of the store, in milliseconds */
  async #catchUp(): Promise<number> {
    const { valkey, requestLogs } = this.#options;
    const { id } = this.sandbox;
    const keys = [requestLogKey(id), checkpointKey(id), wholeKey(id)];
    for (;;) {
      const since = this.#isBegun ? this.#position : '';
      const reply = await valkey.run(READ, keys, [since, PAGE]);
      const [now, whole, kept, entries] = reply as [number, number, string, readonly StreamEntry[]];
      // Other servers trimmed what this one has not read.
      if (since !== '' && isBefore(since, kept.split(' ', 2)[1] ?? BEGINNING)) {
        this.#isBegun = false;
        continue;
      }
      if (since === '') this.#begin(kept);
      for (const entry of entries) await this.#take(entry);
      if (entries.length === PAGE) continue;
      if (this.#restoring) this.#restored();
      requestLogs.of(this.sandbox).tallies.isMissingSome = whole === 0;
      return now;
    }
  }

  /** @param kept the checkpoint as text; empty if there is none */
  #begin(kept: string): void {
    const { requestLogs, events } = this.#options;
    const known = requestLogs.known(this.sandbox);
    if (known && known.requestLog.next > 0) {
      // Listeners continue after the last exchange that they have.
      events.end(this.sandbox);
      requestLogs.clear(this.sandbox, this.sandbox.record.createdAt);
    }
    this.#isBegun = true;
    const checkpoint = kept === '' ? undefined : (JSON.parse(kept.slice(kept.indexOf('{'))) as Checkpoint);
    this.#restoring = checkpoint && { checkpoint, exchanges: [] };
    const from = checkpoint?.from ?? { position: BEGINNING, added: 0, pending: [] };
    this.#position = from.position;
    this.#order = this.#newOrder(from.pending);
    this.#added = from.added;
    this.#kept = checkpoint?.added ?? 0;
    this.#places = [from];
  }

  async #take([position, fields]: StreamEntry): Promise<void> {
    if (!isBefore(this.#position, position)) return;
    const ms = Number.parseInt(position, 10);
    for (let at = 0; at < fields.length; at += 2) {
      for (const outcome of this.#order.apply(fields[at] as StreamField, fields[at + 1] as string, ms)) {
        if ('exchange' in outcome) this.#added += 1;
        if (this.#restoring) this.#collect(outcome);
        else await this.#show(outcome);
      }
    }
    this.#position = position;
    if (this.#added - (this.#places.at(-1) as Place).added >= KEEP_EVERY) this.#places.push(this.#place());
    if (this.#restoring && !isBefore(position, this.#restoring.checkpoint.upTo)) this.#restored();
  }

  /** The checkpoint has the counts; only the exchanges are needed. */
  #collect(outcome: StreamOutcome): void {
    const restoring = this.#restoring as { exchanges: Exchange[] };
    if ('exchange' in outcome) restoring.exchanges.push(outcome.exchange);
    if ('clearedAt' in outcome) restoring.exchanges = [];
  }

  #restored(): void {
    const { requestLogs } = this.#options;
    const { checkpoint, exchanges } = this.#restoring as { checkpoint: Checkpoint; exchanges: Exchange[] };
    this.#restoring = undefined;
    requestLogs.restore(this.sandbox, exchanges, checkpoint.total - exchanges.length, checkpoint.tallies);
    requestLogs.of(this.sandbox).tallies.lost = checkpoint.lost;
  }

  async #show(outcome: StreamOutcome): Promise<void> {
    const { requestLogs, events } = this.#options;
    const { sandbox } = this;
    if ('exchange' in outcome) {
      requestLogs.record(outcome.exchange);
      requestLogs.settle(outcome.exchange);
    } else if ('lost' in outcome) requestLogs.of(sandbox).tallies.lost += outcome.lost;
    else if ('dropped' in outcome) {
      const { requestLog, tallies } = requestLogs.of(sandbox);
      requestLog.restoreDropped(outcome.dropped);
      tallies.dropped += outcome.dropped;
    } else {
      // Listeners get what preceded it.
      events.wake(sandbox.id);
      await nextTurn();
      if ('event' in outcome) events.notify(sandbox, outcome.event);
      else {
        requestLogs.clear(sandbox, outcome.clearedAt);
        events.notify(sandbox, { event: 'cleared', data: { at: isoTime(outcome.clearedAt) } });
      }
    }
  }

  /** Writes the counts, and trims what they cover but for the newest exchanges. A newer checkpoint stays. */
  async #keep(): Promise<void> {
    const { valkey, requestLogs, redact } = this.#options;
    const { id } = this.sandbox;
    while ((this.#places[1]?.added ?? Number.POSITIVE_INFINITY) <= this.#added - MAX_EXCHANGES) this.#places.shift();
    const { requestLog, tallies } = requestLogs.of(this.sandbox);
    const from = this.#places[0] as Place;
    const checkpoint: Checkpoint = {
      ...{ from, upTo: this.#position, added: this.#added },
      ...{ total: requestLog.total, lost: tallies.lost, tallies: savedTallies(tallies) },
    };
    this.#kept = this.#added;
    const keys = [...streamKeys(id).slice(0, 2), checkpointKey(id)];
    await valkey.run(KEEP, keys, [this.#added, from.position, redactedJson(checkpoint, redact)]);
  }

  #place(): Place {
    return { position: this.#position, added: this.#added, pending: this.#order.saved() };
  }

  #newOrder(pending: readonly SavedPending[] = []): RequestOrder {
    const read = (id: string, text: string): Exchange => {
      const own = this.#own.get(id);
      this.#own.delete(id);
      return own ?? exchangeOfShared(text, this.sandbox.id);
    };
    return new RequestOrder({ read, write: (exchange) => sharedTextOf(exchange, this.#options.redact) }, pending);
  }
}

/** Compares positions, which are times and numbers: `1732471234567-0`. */
function isBefore(a: string, b: string): boolean {
  const [aMs = 0, aNumber = 0] = a.split('-').map(Number);
  const [bMs = 0, bNumber = 0] = b.split('-').map(Number);
  return aMs === bMs ? aNumber < bNumber : aMs < bMs;
}
