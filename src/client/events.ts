/** The stream of events (server-sent events, HTML standard, section 9.2), read from a response of `fetch`. */
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { readJson } from './json.ts';

/** One event. */
export interface ControlEvent {
  /** The type: `exchange`, `reset`, … */
  readonly event: string;
  /** The position for continuing the stream; only exchanges have one. */
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
    // Also ends the request; a broken stream has nothing left to end.
    await reader.cancel().catch(() => undefined);
  }
}
