/**
 * The file of a journal while no server runs: exchanges and start as in a case, and the counts of the report. Its
 * version is that of the file's form; a program reads its own.
 */

import type { SavedDrill } from '../drills/runs.ts';
import controls from '../generated/controls.json' with { type: 'json' };
import { MAX_REQUESTS } from '../sandbox/groups.ts';
import type { SavedTallies } from '../sandbox/saved-tallies.ts';
import type { UnclaimedRequest } from '../sandbox/unclaimed.ts';
import type { CaseExchange, CaseStart } from './case.ts';
import type { StepFile } from './case-file.ts';

export const KEPT_VERSION = 1;

export const ABOUT_KEPT =
  'The journal of a sandbox, kept while no server runs; the next start reads and removes it. It contains no keys, no ' +
  'tokens and no other credentials.';

/** What a sandbox holds. A journal of another state is not shown. */
export interface Holds {
  readonly fixture: string;
  readonly added: number;
  readonly nextId: string;
}

export interface KeptJournal {
  readonly about: string;
  readonly kept: number;
  readonly sandbox: string;
  readonly holds: Holds;
  readonly start: Omit<CaseStart, 'upTo' | 'steps'> & { readonly steps: readonly StepFile[] };
  readonly tallies: Omit<SavedTallies, 'since'> & { readonly since: string };
  readonly drill: SavedDrill | null;
  readonly journal: { readonly dropped: number; readonly exchanges: readonly CaseExchange[] };
}

/** The requests that belong to no sandbox, newest first. */
export interface KeptUnclaimed {
  readonly about: string;
  readonly kept: number;
  readonly dropped: number;
  readonly unclaimed: readonly UnclaimedRequest[];
}

type Schema = Readonly<Record<string, unknown>>;

const { start, journal, drill, unclaimed } = controls.components.schemas.Case.properties;
const { fixture: _, upTo: __, ...startMembers } = start.properties;

const object = (properties: Readonly<Record<string, Schema>>): Schema => ({
  type: 'object',
  additionalProperties: false,
  required: Object.keys(properties),
  properties,
});
const list = (items: Schema, maxItems: number): Schema => ({ type: 'array', items, maxItems });
const part = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

const TEXT = { type: 'string' };
const COUNT = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER };
/** Kinds of findings of one sandbox: more than there is room for. */
const MAX_GROUPS = 5_000;

const groupsOf = (finding: Schema): Schema =>
  object({
    uncounted: COUNT,
    groups: list(
      object({
        finding,
        sample: part('Sample'),
        count: COUNT,
        requests: list(part('RequestId'), MAX_REQUESTS),
        last: part('RequestId'),
      }),
      MAX_GROUPS,
    ),
  });
/** A finding with at least these texts. */
const texts = (...names: string[]): Schema => ({ type: 'object', required: names, additionalProperties: TEXT });

const OPERATION = object({
  operation: part('OperationName'),
  responses: list(object({ status: part('SentStatus'), served: COUNT, injected: COUNT }), 600),
  notRefereed: COUNT,
  violations: groupsOf(part('Violation')),
  warnings: groupsOf(part('Warning')),
  intended: groupsOf(texts('place', 'message', 'rule')),
  injected: groupsOf(texts('fault')),
  unjudged: groupsOf(texts('reason')),
  rounded: groupsOf(texts('place', 'sent', 'handedOut')),
});

const HEAD = { about: TEXT, kept: { const: KEPT_VERSION } };

export const KEPT_JOURNAL: Schema = object({
  ...HEAD,
  sandbox: part('SandboxId'),
  holds: object({ fixture: TEXT, added: COUNT, nextId: TEXT }),
  start: { ...start, required: Object.keys(startMembers), properties: startMembers },
  tallies: object({
    since: part('Time'),
    operations: list(OPERATION, 100),
    unmatched: list(object({ status: part('SentStatus'), count: COUNT }), 600),
    noOperation: groupsOf(texts('method', 'path', 'message')),
  }),
  drill,
  journal,
});

export const KEPT_UNCLAIMED: Schema = object({ ...HEAD, dropped: COUNT, unclaimed: { ...unclaimed, type: 'array' } });
