/** One thing that is looked at. */
import type { Ask, Case, Level, Risk, Section } from './cases/case.ts';
import type { Talk } from './talk.ts';

export interface Check {
  /** One of its own in the whole suite. */
  readonly name: string;
  readonly section: Section;
  readonly level: Level;
  readonly risk: Risk;
  /** Talks to the server; what differs is noted in the talk. @throws {Skipped | RateLimited | Stopped} */
  run(talk: Talk): Promise<void>;
}

/** The check of a row that is answered the same whatever pets there are. */
export const checkOf = ({ title, section, level, risk, ask, status, rule }: Case): Check => ({
  name: `${title}: ${status}`,
  section,
  level,
  risk,
  run: async (talk) => void (await talk.ask(ask, { status, level, rule })),
});

/** `GET` of a path. */
export const get = (path: string, headers: Required<Ask>['headers'] = {}): Ask => ({ path, headers });
