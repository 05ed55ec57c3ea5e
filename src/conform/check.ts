/** One check of the suite. */
import { type ApiSection, type CaseRequest, type Cases, caseNameOf, type Risk } from './cases.ts';
import { type Inspection, Skipped } from './inspection.ts';
import type { ConformRule } from './rules.ts';

export interface ConformCheck {
  /** Unique in the whole suite, and stable: files of known differences name it. */
  readonly name: string;
  readonly section: ApiSection;
  /** The main rule that it checks; it also reports violations of other rules. */
  readonly rule: ConformRule;
  readonly risk: Risk;
  /** Sends requests and notes differences in the inspection. @throws {Skipped | RateLimited | Stopped} */
  run(inspection: Inspection): Promise<void>;
}

/** A check of its own. @param risk of the most that it sends */
export const checkOf =
  (risk: Risk) =>
  (section: ApiSection, rule: ConformRule, name: string, run: ConformCheck['run']): ConformCheck => ({
    name,
    section,
    rule,
    risk,
    run,
  });

/** A check for each request of a row. */
export const checksOf = (
  cases: Cases,
  run: (inspection: Inspection, request: CaseRequest, cases: Cases) => Promise<void>,
): ConformCheck[] =>
  cases.requests.map((request) => ({
    name: `${caseNameOf(request)}: ${cases.status}`,
    section: cases.section,
    rule: cases.rule,
    risk: cases.risk,
    run: async (inspection) => {
      if (request.skip !== undefined) throw new Skipped(request.skip);
      await run(inspection, request, cases);
    },
  }));

/** The response has the status of the row. */
export const hasStatus = async (inspection: Inspection, request: CaseRequest, { status, rule }: Cases): Promise<void> =>
  void (await inspection.send(request, { status, rule }));
