/**
 * What the memory there is goes to. All bounds on memory come from here, so that they fit together: what is refused for
 * lack of room is refused with 409 before the system ends the process, and whatever was accepted can be loaded again.
 */
import { getHeapStatistics } from 'node:v8';
import { type MemoryLimit, readMemoryLimit } from './memory-limit.ts';

const KIB = 2 ** 10;
const MIB = 2 ** 20;

/**
 * The program without any data, at its busiest moment: 72 MiB while it starts (54 when idle), 16 for a health check in
 * the same container. File pages are not part of it: the kernel gives them up first.
 */
const PROGRAM = 92 * MIB;
/** With less the program starts, but bounds cannot be lowered any further. */
export const LEAST_MEMORY = 128 * MIB;
/** From here on, the young heap may grow to what Node was started with. */
const ROOMY = 512 * MIB;
/** Copies of a large text that exist at once: four in the main heap, the rest in sockets and on the referee's side. */
const COPIES = { heap: 4, all: 7 };
/** How far the heap grows above what it holds before it is collected. */
const GARBAGE = { roomy: 1.5, tight: 1.3 };
/** Of V8's limit this part is used: the nearer the limit, the longer it collects. */
const HEAP_USE = 0.85;
/** What the program itself takes of the main heap. */
const PROGRAM_HEAP = 24 * MIB;
/** The young heap at its largest: three semi-spaces. V8's limit includes it. */
const YOUNG = { roomy: 48 * MIB, tight: 4 * MIB };

/** The bounds on memory. Bytes, unless said otherwise. */
export interface MemoryPlan {
  readonly limit: MemoryLimit;
  /** All pets that were added, unless the settings say otherwise. */
  readonly pets: number;
  /** All pets that there is room for. */
  readonly mostPets: number;
  /** All sandboxes apart from their pets: keys, snapshots, faults. */
  readonly heads: number;
  /** All journals. */
  readonly journals: number;
  /** The findings of all reports. */
  readonly findings: number;
  /** Large bodies of requests and responses that are under way. */
  readonly inFlight: number;
  /** Characters of lists that are remembered. */
  readonly lists: number;
  /** Characters of exchanges whose verdicts are remembered, in one of two generations. */
  readonly verdicts: number;
  /** Characters of exchanges that wait for the referee. */
  readonly queue: number;
  /** Characters of the largest exchange that the referee judges. */
  readonly exchange: number;
  /** What may wait for one slow reader of events. */
  readonly events: number;
  /** Connections at a time. */
  readonly connections: number;
  /** Whether memory is so short that the heap is collected more often. */
  readonly tight: boolean;
}

/** What a plan is made from. */
export interface PlanInput {
  readonly limit: MemoryLimit;
  /** V8's limit of the main heap. */
  readonly heap: number;
  /** The largest body of a request. */
  readonly maxBody: number;
}

/** The plan for this process. */
export const planForProcess = (maxBody: number): MemoryPlan =>
  planMemory({ limit: readMemoryLimit(), heap: getHeapStatistics().heap_size_limit, maxBody });

/** Shares out the memory. From about 3 GiB on every bound is at its most. */
export function planMemory({ limit, heap, maxBody }: PlanInput): MemoryPlan {
  const tight = limit.bytes < ROOMY;
  const free = Math.max(limit.bytes, LEAST_MEMORY) - PROGRAM;
  const part = (divisor: number, least: number, most: number): number =>
    Math.floor(Math.min(most, Math.max(least, free / divisor)));
  const journals = part(20, MIB, 32 * MIB);
  const findings = part(28, MIB, 32 * MIB);
  const inFlight = part(50, MIB, 64 * MIB);
  const lists = part(80, 256 * KIB, 4 * MIB);
  const verdicts = part(160, 128 * KIB, 2 * MIB);
  const mode = tight ? 'tight' : 'roomy';
  const others = journals + findings + 2 * lists + 4 * verdicts;
  const byMemory = (free - YOUNG[mode] - others - COPIES.all * inFlight) / GARBAGE[mode];
  const byHeap = (heap - PROGRAM_HEAP - YOUNG.roomy - others - COPIES.heap * inFlight) * HEAP_USE;
  const store = Math.max(Math.min(byMemory, byHeap), 4 * MIB);
  return {
    limit,
    pets: Math.floor(Math.min((store * 3) / 4, 512 * MIB)),
    mostPets: Math.floor((store * 3) / 4),
    heads: Math.floor(store / 4),
    journals,
    findings,
    inFlight,
    lists,
    verdicts,
    queue: part(40, 512 * KIB, 8 * MIB),
    // Whatever the settings allow to be sent is judged: a body, and the same in the response.
    exchange: part(16, Math.min(2 * maxBody + 64 * KIB, 128 * MIB), 128 * MIB),
    events: part(8 * KIB, 4 * KIB, 256 * KIB),
    connections: part(256 * KIB, 128, 10_000),
    tight,
  };
}

/** The plan in one line, for people. */
export function planInWords({ limit, pets, heads, journals, findings, inFlight }: MemoryPlan): string {
  return (
    `${inMib(limit.bytes)} of the ${limit.from}: ${inMib(pets)} for pets, ${inMib(heads)} for sandboxes, ` +
    `${inMib(journals + findings)} for journals and reports, ${inMib(inFlight)} for large bodies under way`
  );
}

const inMib = (bytes: number): string => `${Math.floor(bytes / MIB)} MiB`;
