/** One mistake: what is wrong, the line that was sent, and the one to send. */
import type { ComponentChildren } from 'preact';
import type { Schema } from '../../client/routes.ts';
import { subjectOf } from '../../verdict/report/kinds.ts';
import { Trouble } from '../kit/trouble.tsx';
import { Prose } from '../kit/visible.tsx';
import { addressOf } from '../route.ts';
import { useSession } from '../session.ts';
import { AnswerView, draftOf, ofCorrected, useSending } from './draft.tsx';
import { LinesOf } from './message.tsx';

type Finding = Schema<'Finding'>;

interface MistakeProps {
  readonly finding: Finding;
  /** `new`, `still`. */
  readonly mark?: ComponentChildren;
  /** Its buttons. */
  readonly children?: ComponentChildren;
}

export function Mistake({ finding, mark, children }: MistakeProps) {
  const { count, sample, fix } = finding;
  const [sent, instead] = linesOf(sample);
  const lines = (['before', 'after'] as const).flatMap((look) => {
    const text = look === 'before' ? sent : instead;
    return text === null ? [] : [{ look, location: 'body', indent: 0, pieces: [{ kind: 'plain' as const, text }] }];
  });
  return (
    <section class="mistake">
      <header>
        <h3>
          <Prose text={titleOf(finding)} />
        </h3>
        {mark}
        <span class="count">{count.toLocaleString('en-GB')}×</span>
      </header>
      {lines.length > 0 && <LinesOf label="What to send" lines={lines} />}
      {(instead === null || sample?.advice) && (
        <p class="hint">
          <Prose text={instead === null ? fix : (sample?.advice ?? '')} />
        </p>
      )}
      {children}
    </section>
  );
}

/** `listPets: limit is at most 100`. */
function titleOf(finding: Finding): string {
  const { kind, location, message } = finding;
  const subject = subjectOf(finding);
  if (kind === 'deprecated') return `${subject} ${message}`;
  const name = kind === 'violation' || kind === 'warning' ? location.slice(location.lastIndexOf('/') + 1) : '';
  return `${subject}: ${name} ${message}`;
}

/** The whole line of the request where the mistake stands in it, otherwise the part that is wrong. */
function linesOf(sample: Finding['sample']): readonly [sent: string | null, instead: string | null] {
  if (sample === null) return [null, null];
  const { request, sent, instead } = sample;
  if (sent === null || !request.includes(sent)) return [sent, instead];
  return [request, instead === null ? null : request.replace(sent, () => instead)];
}

/** Mistakes of one request that the server may be able to correct. */
const CORRECTED: ReadonlySet<Finding['kind']> = new Set(['violation', 'warning', 'noOperation']);

interface FixingProps {
  readonly finding: Finding;
  /** The id of its last request. */
  readonly last: string;
  readonly isFixed: boolean;
}

/** What can be done about a mistake in the request log. */
export function Fixing({ finding: { kind, sample }, last, isFixed }: FixingProps) {
  const { client } = useSession();
  const { send, isBusy, answer, error } = useSending();
  const corrected = async () => {
    const request = await client.request('GET /requests/{requestId}', { params: { requestId: last } });
    if (!request.corrected) throw new Error('Not every mistake of this request has one correction: open the request.');
    return ofCorrected(draftOf(request), request.corrected);
  };
  return (
    <>
      <div class="buttons">
        {!isFixed && CORRECTED.has(kind) && sample !== null && sample.instead !== null && (
          <button type="button" class="primary" disabled={isBusy} onClick={() => send(corrected)}>
            Fix and send
          </button>
        )}
        <a href={addressOf('live', last)}>Open the request</a>
      </div>
      <Trouble error={error} />
      {answer && <AnswerView answer={answer} note="fixed, sent from this page" />}
    </>
  );
}
