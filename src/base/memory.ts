/**
 * Divides the available memory. All memory limits come from here, so that they fit together: requests are rejected with
 * 409 before the system kills the process, and all accepted data can be loaded again.
 */

import { totalmem } from 'node:os';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const KIB = 2 ** 10;
const MIB = 2 ** 20;

/**
 * The program without data, at its peak: 72 MiB during start-up (54 when idle), 16 for a health check in the same
 * container. File pages do not count: the kernel evicts them first.
 */
const PROGRAM = 92 * MIB;
/** With less memory the program starts, but its limits cannot be lowered any further. */
export const LEAST_MEMORY = 256 * MIB;
/** From here on, the young generation may grow to the size that Node was started with. */
const ROOMY = 512 * MIB;
/** With less memory, no documents of strangers are read: HARs, and drafts of the specification. */
export const LEAST_FOR_DOCUMENTS = 384 * MIB;
/** The thread for them outside of its heap: code, stacks and buffers. */
const DOCUMENTS_THREAD = 32 * MIB;

/**
 * Copies of a large text that exist at once: four in the main heap, the rest in sockets and in the validator's thread.
 */
const COPIES = { heap: 4, all: 7 };
/** A list of a hundred long names, as a text in both heaps: without it, those of 60 KB end a server of 256 MiB. */
const LONG_LIST = 20 * MIB;
/**
 * Pages of pets are outside V8's heap. Pages of a sandbox that was reset are freed at V8's next collection, which is
 * triggered by 64 MiB of new external memory; if memory is short, `collectorOf` triggers it earlier.
 */
const GIVEN_UP_PAGES = { roomy: 64 * MIB, tight: 16 * MIB };
/** Growth of the heap above its live data before a collection. */
const GARBAGE = { roomy: 1.5, tight: 1.3 };
/** The usable part of V8's limit: near the limit, collections take longer. */
const HEAP_USE = 0.85;
/** The program's own share of the main heap. */
const PROGRAM_HEAP = 24 * MIB;
/** The maximal young generation: three semi-spaces. V8's limit includes it. */
const YOUNG = { roomy: 48 * MIB, tight: 4 * MIB };

/** The memory limits, in bytes unless noted. */
export interface MemoryPlan {
  readonly limit: MemoryLimit;
  /** All added pets, unless the settings say otherwise. */
  readonly pets: number;
  /** The most memory that fits for all pets. */
  readonly mostPets: number;
  /** Unused pages that V8 has not freed yet. */
  readonly givenUp: number;
  /** All sandboxes without their pets: keys, snapshots, faults, and what the control API changed. */
  readonly heads: number;
  /** All request logs. */
  readonly requestLogs: number;
  /** Large bodies of requests and responses in flight. */
  readonly inFlight: number;
  /** Characters of cached lists. */
  readonly lists: number;
  /** Characters of exchanges with cached verdicts. */
  readonly verdicts: number;
  /** Characters of exchanges queued for the validator. */
  readonly queue: number;
  /** Characters of the largest exchange that the validator checks. */
  readonly exchange: number;
  /** The heap of the thread for documents of strangers; 0 where it does not fit. */
  readonly documents: number;
  /** The send buffer of one slow reader of events. */
  readonly events: number;
  /** Concurrent connections. */
  readonly connections: number;
  /** Whether memory is so short that the heap is collected more often. */
  readonly tight: boolean;
}

interface PlanInput {
  readonly limit: MemoryLimit;
  /** V8's limit of the main heap. */
  readonly heap: number;
}

/** The plan for this process. */
export const planForProcess = (): MemoryPlan =>
  planMemory({ limit: readMemoryLimit(), heap: getHeapStatistics().heap_size_limit });

/** Divides the memory. From about 3 GiB on every limit is at its maximum. */
export function planMemory({ limit, heap }: PlanInput): MemoryPlan {
  const tight = limit.bytes < ROOMY;
  const free = Math.max(limit.bytes, LEAST_MEMORY) - PROGRAM;
  const part = (divisor: number, least: number, most: number): number =>
    Math.floor(Math.min(most, Math.max(least, free / divisor)));
  const requestLogs = part(12, 2 * MIB, 64 * MIB);
  const inFlight = part(50, MIB, 64 * MIB);
  const lists = part(80, 256 * KIB, 4 * MIB);
  const verdicts = part(160, 128 * KIB, 2 * MIB);
  const documents = limit.bytes < LEAST_FOR_DOCUMENTS ? 0 : part(8, 48 * MIB, 128 * MIB);
  const thread = documents === 0 ? 0 : documents + DOCUMENTS_THREAD;
  const mode = tight ? 'tight' : 'roomy';
  const others = requestLogs + 2 * lists + 2 * verdicts + LONG_LIST;
  const store = free - YOUNG[mode] - thread - others - COPIES.all * inFlight;
  const headsByHeap = (heap - PROGRAM_HEAP - YOUNG.roomy - others - COPIES.heap * inFlight) * HEAP_USE;
  const pages = (store * 3) / 4;
  const givenUp = Math.min(GIVEN_UP_PAGES[mode], pages / 2);
  const mostPets = Math.max(pages - givenUp, 3 * MIB);
  return {
    limit,
    pets: Math.floor(Math.min(mostPets, 512 * MIB)),
    mostPets: Math.floor(mostPets),
    givenUp: Math.floor(givenUp),
    heads: Math.floor(Math.max(Math.min(store / 4 / GARBAGE[mode], headsByHeap), MIB)),
    requestLogs,
    inFlight,
    lists,
    verdicts,
    queue: part(40, 512 * KIB, 8 * MIB),
    // Everything that the settings allow is validated: a body of 1 MiB, and the same in the response.
    exchange: part(32, 2 * MIB + 64 * KIB, 128 * MIB),
    documents,
    events: part(8 * KIB, 4 * KIB, 256 * KIB),
    connections: part(256 * KIB, 128, 10_000),
    tight,
  };
}

interface MemoryLimit {
  readonly bytes: number;
  readonly from: 'machine' | 'container';
}

/** The limit of this process: that of its own control group (cgroups(7), version 1 or 2), or the machine's memory. */
export function readMemoryLimit(constrained = process.constrainedMemory(), total = totalmem()): MemoryLimit {
  // Without a limit, Node says 0, or far more than there is.
  const isLimited = constrained > 0 && constrained < total;
  return isLimited ? { bytes: constrained, from: 'container' } : { bytes: total, from: 'machine' };
}

/**
 * Is notified of bytes outside of V8's heap that are no longer used. V8 does not count external memory, so it does not
 * trigger a collection.
 */
export function collectorOf({ tight, givenUp }: Pick<MemoryPlan, 'tight' | 'givenUp'>): (bytes: number) => void {
  let given = 0;
  return (bytes) => {
    given += bytes;
    if (!tight || given < givenUp) return;
    given = 0;
    // Deferred: the caller still holds a reference.
    void collector()?.({ type: 'major', execution: 'async' });
  };
}

/** Exposed to contexts made after `keepHeapsSmall`; in a library V8 goes by its own rules. */
const collector = (): typeof globalThis.gc => runInNewContext('globalThis.gc');

/** Gives back the memory of this thread that only the start needed: with a fixture of 20,000 pets 20 MiB, in 45 ms. */
export const collectStart = (): void => void collector()?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });

/**
 * Keeps the heaps small, at little cost in time. Call it before the validator starts, because its thread is created with
 * these flags. The main thread's young generation is limited by a flag of Node's command line. The figures are medians of three
 * starts, each with 48,000 requests over 20,000 pets: how much more memory the process has without a flag.
 */
export function keepHeapsSmall({ tight }: Pick<MemoryPlan, 'tight'>): void {
  // By default V8 lets the old generation grow to several times its size before a collection. Node 24: 6 % more, where memory
  // is tight 14 %; Node 22: 3 and 8 %.
  setFlagsFromString(`--heap-growing-percent=${tight ? 20 : 100}`);
  // The young generation stays at its initial 2 MiB: its limit is fixed when Node starts, but its growth is not. Node 24: 28 %
  // more; Node 22: no difference.
  if (tight) setFlagsFromString('--semi-space-growth-factor=1');
  // Node's flag overrides a thread's resource limits, and the validator needs far less than the main thread.
  setFlagsFromString('--max-semi-space-size=0');
  // For the validator, which releases the memory that only its start needed. Node 24: 6 % more; Node 22: 4 %.
  setFlagsFromString('--expose-gc');
}
