// The parts of the sandbox whose cost `npm run bench:ladder` shows, and the changes of the source that switch each off.

/** What is changed stands in exactly one file of `src/`. `memory`: without a disk, the data is in memory. */
export const PARTS = [
  {
    name: 'the validator',
    changes: [{ from: 'else validator.submit(exchange);', to: 'else settle(exchange);' }],
  },
  {
    name: 'request log and figures',
    changes: ['figures.count', 'requestLogs.record', 'figures.countVerdict', 'requestLogs.settle'].map((call) => ({
      from: `${call}(exchange);`,
      to: '',
    })),
  },
  { name: 'the disk', changes: [], memory: true },
  {
    name: 'remembered verdicts',
    changes: [{ from: 'isRemembered(exchange) ? memory.get(exchange) : undefined', to: 'undefined' }],
  },
  { name: 'remembered headers', changes: [{ from: 'areSameHeaders(last.raw, raw)', to: '(false as boolean)' }] },
  {
    name: 'batches of responses',
    changes: [{ from: 'this.#ready.push(response);', to: 'return process.nextTick(() => this.#send(response));' }],
  },
  {
    name: 'no stream for an empty body',
    changes: [{ from: 'optimizeEmptyRequests: true', to: 'optimizeEmptyRequests: false' }],
  },
];

/** Makes a part's changes, file by file. */
export class Switch {
  #part;
  #left;

  constructor(part) {
    this.#part = part;
    this.#left = new Set(part.changes);
  }

  /** The source of a file without the part; `undefined` where the part is not in it. */
  apply(source) {
    const found = [...this.#left].filter(({ from }) => source.includes(from));
    for (const change of found) this.#left.delete(change);
    return found.length === 0 ? undefined : found.reduce((text, { from, to }) => text.replace(from, () => to), source);
  }

  /** @throws {Error} when a change fits no file: the source is not as it was */
  check() {
    const [change] = this.#left;
    if (change)
      throw new Error(`src/ has changed, and the ladder cannot switch off ${this.#part.name}: ${change.from}`);
  }
}
