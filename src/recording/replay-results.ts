/** What a replay found, as results: an item for each exchange. */

import { counted } from '../core/text.ts';
import type { Item, Results } from '../report/results.ts';
import { accountOf } from '../requests/account.ts';
import type { Replay, Replayed } from './replay.ts';

const VERDICTS = {
  same: ['pass', 'the replay is the same'],
  differs: ['fail', 'the replay differs'],
  incomplete: ['incomplete', 'the replay is incomplete'],
} as const;

const STATUSES = { same: 'passed', differs: 'failed', incomplete: 'error', skipped: 'skipped' } as const;

/** In which count of the account a request ends. */
const KINDS = { same: 'validated', differs: 'validated', incomplete: 'notValidated', skipped: 'skipped' } as const;

const NOT_RECORDED = 'not in the recording: malformed, or dropped before it was saved';

const RULES = {
  differs: 'The response is not the recorded one',
  incomplete: 'The response could not be compared for certain',
} as const;

const HEADINGS = { differs: 'Differs', incomplete: 'Could not be compared for certain' } as const;

/** @param endedAt ISO 8601, in UTC */
export function replayResults(replay: Replay, endedAt: string): Results {
  const [verdict, title] = VERDICTS[replay.verdict];
  return {
    kind: 'replay',
    verdict,
    title,
    reasons: replay.dropped > 0 ? [`${counted(replay.dropped, 'request')} ${NOT_RECORDED}`] : [],
    account: accountOf([
      ...replay.results.map(({ outcome, reason }) => ({ kind: KINDS[outcome], count: 1, reason })),
      { kind: 'dropped', count: replay.dropped, reason: NOT_RECORDED },
    ]),
    figures: Object.entries(replay.counts).map(([name, count]) => `${count} ${name}`),
    about: [],
    endedAt,
    headings: Object.values(HEADINGS),
    groups: [{ name: 'replay', items: replay.results.map(itemOf) }],
    rules: Object.entries(RULES).map(([id, text]) => ({
      id,
      title: text,
      help: `${text}.`,
      page: 'docs/guides/record.md',
      anchor: 'replay',
    })),
    notes: [],
    data: replay,
  };
}

function itemOf({ id, method, target, outcome, reason, difference }: Replayed): Item {
  const name = `${method} ${target}`;
  const status = STATUSES[outcome];
  if (outcome === 'same') return { name, status };
  if (outcome === 'skipped') return { name, status, remarks: [`${reason} (${id})`] };
  return {
    name,
    status,
    findings: [
      {
        heading: HEADINGS[outcome],
        level: outcome === 'differs' ? 'error' : 'warning',
        rule: outcome,
        subject: name,
        message: reason ?? RULES[outcome],
        summary: RULES[outcome],
        ...(difference && {
          location: difference.location,
          sample: { expected: difference.expected, got: difference.got },
        }),
        pointer: '#/paths',
        requests: { count: 1, ids: [id], last: id },
      },
    ],
  };
}
