/** A preview as results. */
import { counted } from '../../base/text.ts';
import { itemsOf, resultsOf } from '../report/finding-results.ts';
import { KINDS } from '../report/kinds.ts';
import type { Results } from '../report/results.ts';
import type { Preview } from './preview.ts';

export function previewResults(preview: Preview): Results {
  const { requests, findings, source, createdAt } = preview;
  const { total, failing } = requests;
  const listed = findings.filter(({ kind, operation }) => KINDS[kind].heading && operation !== null);
  const suiteOf = ({ kind, operation }: Preview['findings'][number]): string =>
    `${operation}${kind === 'stopsWorking' ? '' : ': other changes'}`;
  return resultsOf(preview, {
    ...{ kind: 'preview', name: 'preview', about: [source], endedAt: createdAt, notes: [] },
    figures: [dateInWords(preview), `${failing} of ${counted(total, 'request')} ${failing === 1 ? 'fails' : 'fail'}`],
    groups: [...new Set(listed.map(suiteOf))].map((name) => ({
      name,
      items: listed.filter((each) => suiteOf(each) === name).flatMap(itemsOf),
    })),
    complete: 'every request was examined',
  });
}

/** `on 2030-12-05 (1,474 days left)` */
function dateInWords({ date, daysLeft, draft }: Preview): string {
  const left =
    (daysLeft ?? 0) > 0 ? `${daysLeft?.toLocaleString('en')} ${daysLeft === 1 ? 'day' : 'days'} left` : 'no day left';
  const when = date === null ? [] : [`on ${date} (${left})`];
  if (draft !== null) return [`with the draft ${draft}`, ...when].join(' ');
  return when[0] ?? 'no change of the API is announced';
}
