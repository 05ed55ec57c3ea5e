/**
 * Sends responses in batches: all that are ready at the end of a turn of the event loop are sent together. Sending each
 * one separately would wake a client that has just gone to sleep, which costs more than the response.
 */
export class Departures {
  #ready: (() => void)[] = [];
  /** Whether `#sendAll` is scheduled. */
  #isDue = false;

  /** Called when a request arrives: its response is sent at the end of this turn, if it is ready by then. */
  expect(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    setImmediate(this.#sendAll);
  }

  /**
   * Called when a response is ready. A response that missed the end of its turn because it waited for a write is sent
   * together with the others that waited for the same write.
   */
  add(send: () => void): void {
    this.#ready.push(send);
    if (this.#isDue) return;
    this.#isDue = true;
    process.nextTick(this.#sendAll);
  }

  readonly #sendAll = (): void => {
    this.#isDue = false;
    const ready = this.#ready;
    this.#ready = [];
    for (const send of ready) send();
  };
}
