/** A preview as results. */

import { pointerTo } from '../core/pointer.ts';
import { counted } from '../core/text.ts';
import { operations } from '../generated/facts.ts';
import type { Preview } from './preview.ts';
import { briefOf } from './report-results.ts';
import type { Finding, Item, Results } from './results.ts';
import { ruleOf } from './rules.ts';

export function previewResults(preview: Preview): Results {
  const { verdict, reasons, account, requests, breaks, source, createdAt, unused, notes, incompleteReasons, warnings } =
    preview;
  const { total, failing, failingAlready } = requests;
  const heading = headingOf(preview);
  const findings = breaks.map((each) => findingOf(each, heading));
  const told = [...preview.unknown, ...warnings].map(warningOf);
  const groups = [...new Set(breaks.map(({ operation }) => operation as string))].map((operation) => ({
    name: operation,
    items: findings.filter(({ subject }) => subject === operation).map((each) => itemOf(each)),
  }));
  return {
    kind: 'preview',
    verdict,
    title: `preview ${VERDICTS[verdict]}${verdict === 'pass' && warnings.length > 0 ? ', but with warnings' : ''}`,
    reasons,
    account,
    figures: [dateInWords(preview), `${failing} of ${counted(total, 'request')} ${failing === 1 ? 'fails' : 'fail'}`],
    about: [source],
    endedAt: createdAt,
    headings: [heading, CHANGES],
    groups: [
      ...groups,
      ...[...new Set(told.map(({ subject }) => subject))].map((operation) => ({
        name: `${operation}: other changes`,
        items: told.filter(({ subject }) => subject === operation).map((each) => itemOf(each, 'warned')),
      })),
      {
        name: 'verdict',
        items: [
          {
            name: 'every request was examined',
            status: incompleteReasons.length === 0 ? 'passed' : 'error',
            remarks: incompleteReasons,
          },
        ],
      },
    ],
    rules: [...new Set([...findings, ...told].map(({ rule }) => rule))].map((id) => ({ ...ruleOf(id), id })),
    notes: [
      ...(unused.length === 0 ? [] : [`also changes, not used by these requests: ${unused.join('; ')}`]),
      ...(failingAlready === 0
        ? []
        : [
            `${counted(failingAlready, 'request')} of these ${failingAlready === 1 ? 'breaks' : 'break'} today's specification; see the contract report`,
          ]),
      ...notes,
    ],
    data: preview,
  };
}

const VERDICTS = { pass: 'passed', fail: 'failed', incomplete: 'incomplete' } as const;

/** Of what the requests do not show. */
const CHANGES = 'Changes that requests do not show';
const CHANGE = 'api-change';

/** `on 2030-12-05 (1,474 days left)` */
function dateInWords({ date, daysLeft, draft }: Preview): string {
  const left =
    (daysLeft ?? 0) > 0 ? `${daysLeft?.toLocaleString('en')} ${daysLeft === 1 ? 'day' : 'days'} left` : 'no day left';
  const when = date === null ? [] : [`on ${date} (${left})`];
  if (draft !== null) return [`with the draft ${draft}`, ...when].join(' ');
  return when[0] ?? 'no change of the API is announced';
}

/** `On 2030-12-05 (1,474 days left), 12 of your 60 requests fail` */
function headingOf(preview: Preview): string {
  const { total, failing } = preview.requests;
  const when = dateInWords(preview);
  const requests = `${failing.toLocaleString('en')} of your ${counted(total, 'request')}`;
  return `${when.charAt(0).toUpperCase()}${when.slice(1)}, ${requests} ${failing === 1 ? 'fails' : 'fail'}`;
}

function findingOf(found: Preview['breaks'][number], heading: string): Finding {
  const { operation, rule, location, pointer, message, instead, sample, count, requests, last } = found;
  const { firstAt, lastAt, userAgents, fix } = found;
  const times = firstAt === lastAt ? `at ${firstAt}` : `first at ${firstAt}, last at ${lastAt}`;
  return {
    heading,
    level: 'error',
    rule: `request/${rule}`,
    subject: operation,
    location,
    message: `${message}; ${times}; from ${userAgents.join(', ')}`,
    summary: message,
    sample: { request: `${sample.request} → ${sample.status === 0 ? 'no response' : sample.status} (${requests[0]})` },
    brief: briefOf(message, { ...sample, action: 'other' }),
    fix: instead === null ? fix : `Send ${instead}`,
    correction: instead === null ? { sent: sample.request, advice: fix } : { sent: sample.request, send: instead },
    pointer,
    requests: { count, ids: requests, last },
  };
}

const warningOf = ({ operation, location, message, fix }: Preview['warnings'][number]): Finding => ({
  heading: CHANGES,
  level: 'warning',
  rule: CHANGE,
  subject: operation,
  location,
  message,
  summary: message,
  fix,
  pointer: pointerTo(operations[operation]),
});

const itemOf = (finding: Finding, status: Item['status'] = 'failed'): Item => ({
  name: `${finding.rule} at ${finding.location}: ${finding.summary}`,
  status,
  findings: [finding],
});
