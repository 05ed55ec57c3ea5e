/** The stream of events (server-sent events, HTML standard, section 9.2), read from an answer of `fetch`. */
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { readJson } from './json.ts';

/** One event. */
export interface ControlEvent {
  /** What happened: `exchange`, `reset`, … */
  readonly event: string;
  /** Where to go on from after an end; only an exchange has one. */
  readonly id: string | undefined;
  readonly data: unknown;
}

/** The events of a stream, until it ends; leaving the loop ends it. @throws when the connection breaks */
export async function* readEvents(stream: ReadableStream<Uint8Array>): AsyncGenerator<ControlEvent, void, undefined> {
  const arrived: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => void arrived.push(event) });
  const decoder = new TextDecoder();
  const reader = stream.getReader();
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      parser.feed(decoder.decode(piece.value, { stream: true }));
      for (const { event = 'message', id, data } of arrived.splice(0)) yield { event, id, data: readJson(data) };
    }
  } finally {
    // Ends the request too; a stream that broke has nothing left to end.
    await reader.cancel().catch(() => undefined);
  }
}
