/** The parts of the sandbox whose cost `npm run bench:ladder` shows, and how each is switched off. */

/** A change of the source, for one build. */
export interface Change {
  /** It stands in exactly one file of `src/`. */
  readonly from: string;
  readonly to: string;
}

export interface Part {
  readonly name: string;
  /** What is different without it. */
  readonly changes: readonly Change[];
  /** Without a disk: the data is in memory. */
  readonly memory?: true;
}

export const PARTS: readonly Part[] = [
  {
    name: 'the validator',
    changes: [
      { from: 'if (isToBeValidated(exchange)) validator.submit', to: 'if (false as boolean) validator.submit' },
    ],
  },
  {
    name: 'request log and figures',
    changes: ['figures.count', 'histories.record', 'figures.countVerdict', 'histories.settle'].map((call) => ({
      from: `${call}(exchange);`,
      to: '',
    })),
  },
  { name: 'the disk', changes: [], memory: true },
  {
    name: 'remembered verdicts',
    changes: [{ from: 'isRemembered(exchange) ? memory.get(exchange) : undefined', to: 'undefined' }],
  },
  { name: 'remembered keys', changes: [{ from: 'hashes.get(authorization)', to: 'undefined' }] },
  {
    name: 'batches of responses',
    changes: [
      {
        from: 'req.exchange.departures.add(() => send(req, res, data))',
        to: 'setImmediate(send, req, res, data)',
      },
    ],
  },
  {
    name: 'the direct path',
    changes: [{ from: 'direct.find(req)', to: 'undefined as ReturnType<typeof direct.find>' }],
  },
  {
    name: 'no stream for an empty body',
    changes: [{ from: 'optimizeEmptyRequests: true', to: 'optimizeEmptyRequests: false' }],
  },
];

/** Makes a part's changes, file by file. */
export class Switch {
  readonly #part: Part;
  readonly #left: Change[];

  constructor(part: Part) {
    this.#part = part;
    this.#left = [...part.changes];
  }

  /** The source of a file without the part; `undefined` where the part is not in it. */
  apply(source: string): string | undefined {
    let changed = source;
    for (const change of [...this.#left]) {
      if (!changed.includes(change.from)) continue;
      changed = changed.replace(change.from, () => change.to);
      this.#left.splice(this.#left.indexOf(change), 1);
    }
    return changed === source ? undefined : changed;
  }

  /** @throws when a change fits no file: the source is not as it was */
  check(): void {
    const [change] = this.#left;
    if (change)
      throw new Error(`src/ has changed, and the ladder cannot switch off ${this.#part.name}: ${change.from}`);
  }
}
