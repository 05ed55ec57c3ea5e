/** Looks at a server: puts the suite to it, check by check, and says where it differs. */
import type { Level, Section } from './cases/case.ts';
import type { Check } from './check.ts';
import { Description } from './description.ts';
import { NoAnswer, Probe, type ProbeOptions, RateLimited, Stopped } from './probe.ts';
import { suite } from './suite.ts';
import { type CreatedPet, type Finding, Skipped, Talk, type TalkOptions } from './talk.ts';

export interface ConformOptions extends ProbeOptions {
  /** Whether requests may be sent that add pets, or would where the server is wrong. */
  readonly allowCreate: boolean;
  /** Told of each result at once. */
  readonly onResult?: (result: Result) => void;
}

/** What came of one check. */
export interface Result {
  readonly name: string;
  /** Where the interface's description speaks of it, or is silent. */
  readonly section: Section;
  /** Who says what is right: the description, or, where it is silent, the sandbox. */
  readonly level: Level;
  /** `document` and `sandbox`: it differs from that. */
  readonly outcome: 'ok' | 'document' | 'sandbox' | 'skipped';
  /** Why it was skipped. */
  readonly reason?: string;
  readonly findings: readonly Finding[];
}

/** `incomplete`: nothing differs, but the run did not come to its end, or the server kept it from some checks. */
export type Verdict = 'conforms' | 'differs' | 'incomplete';

export interface Conformance {
  readonly url: string;
  readonly verdict: Verdict;
  readonly counts: Readonly<Record<Result['outcome'], number>>;
  readonly requests: number;
  readonly results: readonly Result[];
  readonly created: readonly CreatedPet[];
}

/** No server answers there; `message` says why. */
export class NotReached extends Error {}

/** The server does not let this key in: nothing can be looked at. */
export class KeyRefused extends Error {}

/**
 * Puts the suite to a server.
 *
 * @throws {NotReached | KeyRefused}
 */
export async function conform(options: ConformOptions): Promise<Conformance> {
  const probe = new Probe(options);
  const created: CreatedPet[] = [];
  try {
    await reach(probe, options.url);
    const talks: TalkOptions = { probe, description: await Description.load(), created };
    const results: Result[] = [];
    let complete = true;
    for (const check of suite(options.key)) {
      const result = await look(check, talks, options);
      complete &&= !result.cutShort;
      results.push(result.result);
      options.onResult?.(result.result);
    }
    const counts = { ok: 0, document: 0, sandbox: 0, skipped: 0 };
    for (const { outcome } of results) counts[outcome]++;
    const verdict = counts.document + counts.sandbox > 0 ? 'differs' : complete ? 'conforms' : 'incomplete';
    return { url: options.url, verdict, counts, requests: probe.sent, results, created };
  } finally {
    probe.close();
  }
}

/** Whether there is a server, and whether it lets the key in. */
async function reach(probe: Probe, url: string): Promise<void> {
  try {
    const { status } = await probe.ask({ path: '/pets?limit=1' });
    if (status === 401 || status === 403) throw new KeyRefused(`${url} refuses the key (${status})`);
  } catch (error) {
    if (error instanceof NoAnswer)
      throw new NotReached(`${url} cannot be reached (${error.message})`, { cause: error });
    if (error instanceof Stopped || error instanceof RateLimited) throw new NotReached(error.message, { cause: error });
    throw error;
  }
}

async function look(
  { name, section, level, risk, run }: Check,
  talks: TalkOptions,
  { allowCreate }: ConformOptions,
): Promise<{ result: Result; cutShort: boolean }> {
  const about = { name, section, level };
  const skipped = (reason: string, cutShort: boolean) => ({
    result: { ...about, outcome: 'skipped', reason, findings: [] } as const,
    cutShort,
  });
  if (risk === 'destroys') return skipped('a wrong server might change or drop pets', false);
  if (risk === 'creates' && !allowCreate) return skipped('it may add a pet: needs --allow-create', false);
  const talk = new Talk(talks);
  try {
    await run(talk);
  } catch (error) {
    const cutShort = error instanceof Stopped || error instanceof RateLimited;
    if (!cutShort && !(error instanceof Skipped)) throw error;
    if (talk.findings.length === 0) return skipped(error.message, cutShort);
  }
  const { findings } = talk;
  const outcome = findings.some(({ from }) => from === 'document')
    ? 'document'
    : findings.length > 0
      ? 'sandbox'
      : 'ok';
  return { result: { ...about, outcome, findings }, cutShort: false };
}
