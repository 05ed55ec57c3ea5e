/** One check of the suite. */
import type { Case, Risk, Section } from './cases/case.ts';
import type { Inspection } from './inspection.ts';
import type { Rule } from './rules.ts';

export interface ConformCheck {
  /** Unique in the whole suite, and stable: files of known differences name it. */
  readonly name: string;
  readonly section: Section;
  /** The main rule that it checks; it also reports violations of other rules. */
  readonly rule: Rule;
  readonly risk: Risk;
  /** Sends requests and notes differences in the inspection. @throws {Skipped | RateLimited | Stopped} */
  run(inspection: Inspection): Promise<void>;
}

/** The check of a row whose response does not depend on the server's pets. */
export const checkOf = ({ title, section, risk, request, status, rule }: Case): ConformCheck => ({
  name: `${title}: ${status}`,
  section,
  rule,
  risk,
  run: async (inspection) => void (await inspection.send(request, { status, rule })),
});
