/** The issues: each problem in one row, which opens to its fix, its requests and its place in the specification. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Report } from '../../../report/report.ts';
import { many, timeOfDay } from '../kit/time.ts';
import { visible } from '../kit/visible.ts';
import { addressOf } from '../route.ts';
import { queryOf } from '../traffic/filter.ts';
import type { Summary } from '../traffic/live.ts';
import { injectedIn, type Problem, problemsIn } from './problems.ts';

interface Issue {
  readonly problem: Problem;
  readonly course: Course;
}

interface IssueListProps {
  readonly report: Report;
  readonly exchanges: readonly Summary[];
}

export function IssueList({ report, exchanges }: IssueListProps) {
  const withCourse = (problem: Problem): Issue => ({ problem, course: courseOf(problem, exchanges) });
  const issues = problemsIn(report).map(withCourse);
  const faults = injectedIn(report).map(withCourse);
  const open = issues.filter(({ course }) => course.cleanSince === 0);
  const fixed = issues.filter(({ course }) => course.cleanSince > 0);
  return (
    <>
      {issues.length === 0 ? (
        <Nothing sent={report.totals.exchanges} />
      ) : (
        <Rows
          title={`${many(open.length, 'open issue')}${fixed.length > 0 ? `, ${fixed.length} fixed` : ''}`}
          issues={[...open, ...fixed]}
          opensFirst
        />
      )}
      {faults.length > 0 && <Rows title="Injected faults" hint="They do not change the verdict." issues={faults} />}
    </>
  );
}

const Nothing = ({ sent }: { sent: number }) => (
  <div class="empty">
    {sent === 0 ? (
      <>
        <p>Issues appear here once your client sends requests.</p>
        <p>
          <a href={addressOf('traffic')}>Send the first one</a>
        </p>
      </>
    ) : (
      <p>No issues in {many(sent, 'request')}.</p>
    )}
  </div>
);

interface RowsProps {
  readonly title: string;
  readonly hint?: string;
  readonly issues: readonly Issue[];
  readonly opensFirst?: boolean;
}

const Rows = ({ title, hint, issues, opensFirst = false }: RowsProps) => (
  <section class="issues" aria-label={title}>
    <header>
      <h2>
        {title} {hint && <span class="hint">{hint}</span>}
      </h2>
      <span aria-hidden="true">Over time</span>
      <span aria-hidden="true">Count</span>
      <span aria-hidden="true">Last seen</span>
    </header>
    <ul>
      {issues.map((issue, index) => (
        <Row key={keyOf(issue.problem)} issue={issue} isFirst={opensFirst && index === 0} />
      ))}
    </ul>
  </section>
);

const keyOf = ({ label, operation, location, title }: Problem): string => [label, operation, location, title].join(' ');

function Row({ issue: { problem, course }, isFirst }: { issue: Issue; isFirst: boolean }) {
  const { label, kind, operation, title, location, count } = problem;
  const isFixed = course.cleanSince > 0;
  // Set once: from then on the reader opens and closes it.
  const [isOpen] = useState(isFirst);
  return (
    <li class={`issue ${isFixed ? 'fixed' : kind}`}>
      <details open={isOpen}>
        <summary>
          <span class="problem">
            <strong>{title}</strong>
            <small>
              {isFixed ? <span class="mark good">fixed since</span> : <span class={`mark ${kind}`}>{label}</span>}
              <span>{operation}</span>
              {location !== undefined && <code>{location}</code>}
            </small>
          </span>
          <Sparkline counts={course.spans} />
          <span class="count">
            {count.toLocaleString('en-GB')}
            <span class="unit"> {count === 1 ? 'time' : 'times'}</span>
          </span>
          <span class="count">{course.last === undefined ? '' : timeOfDay(course.last)}</span>
        </summary>
        <Details problem={problem} course={course} />
      </details>
    </li>
  );
}

const Details = ({ problem, course }: { problem: Problem; course: Course }) => (
  <dl class="pairs">
    <Fix problem={problem} />
    {course.first !== undefined && course.last !== undefined && <Pair name="Seen">{seenWords(problem, course)}</Pair>}
    {course.cleanSince > 0 && <Pair name="Fixed">{many(course.cleanSince, 'clean request')} since</Pair>}
    <Pair name="Requests">
      <Requests problem={problem} />
    </Pair>
    {problem.pointer !== undefined && (
      <Pair name="Specification">
        <a href={addressOf('specification', problem.pointer.replace(/^#?\//, ''))}>{problem.pointer}</a>
      </Pair>
    )}
  </dl>
);

const Pair = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
);

/** `first 14:30:16, last 14:30:17`; the request log may no longer hold the first request. */
function seenWords({ count }: Problem, { first = '', last = '', hasFirst }: Course): string {
  if (count === 1) return timeOfDay(last);
  return `first ${hasFirst ? '' : 'before '}${timeOfDay(first)}, last ${timeOfDay(last)}`;
}

const Fix = ({ problem: { sample } }: { problem: Problem }) =>
  sample.instead === null ? null : (
    <Pair name="Send instead">
      <span class="mend">
        <ins>
          <code>{visible(sample.instead)}</code>
        </ins>
        {/* Where something is missing, the sample is the whole body. */}
        {sample.sent !== null && !sample.sent.startsWith('{') && sample.sent !== sample.instead && (
          <del>
            <code>{visible(sample.sent)}</code>
          </del>
        )}
      </span>
    </Pair>
  );

/** The last request, and the first ones; all of them where a filter of the traffic finds them. */
function Requests({ problem: { requests, last, count, operation, show } }: { problem: Problem }) {
  const ids = [...new Set([last, ...requests])];
  return (
    <span class="affected">
      {ids.map((id, index) => (
        <a key={id} href={addressOf('traffic', id)} aria-label={index === 0 ? 'Last request' : undefined}>
          {index === 0 ? 'Last request' : id}
        </a>
      ))}
      {count > ids.length && <span class="hint">and {(count - ids.length).toLocaleString('en-GB')} more</span>}
      {show !== undefined && count > 1 && (
        <a href={`#/traffic?${queryOf({ text: '', operation, status: '', show })}`}>Like these in the traffic</a>
      )}
    </span>
  );
}

/** The course of a problem over the requests of the request log: when it was seen, and whether it is fixed. */
interface Course {
  /** Times of the first and the last request with it; `undefined` if the request log holds none. */
  readonly first: string | undefined;
  readonly last: string | undefined;
  /** Whether the first one of all is in the request log. */
  readonly hasFirst: boolean;
  /** Requests with it in equal spans of time, from the request log's first request to its last. */
  readonly spans: readonly number[];
  /** Requests of the same operation since then, if all of them are clean; 0 if there are none, or it cannot be told. */
  readonly cleanSince: number;
}

const SPANS = 24;

/** @param exchanges newest first */
function courseOf({ isIn, operation, requests, canBeFixed = false }: Problem, exchanges: readonly Summary[]): Course {
  const ofClient = exchanges.filter(({ fromDashboard }) => !fromDashboard);
  const affected = ofClient.filter(isIn);
  const last = affected[0]?.at;
  const later = last === undefined ? [] : ofClient.filter((each) => each.operation === operation && each.at > last);
  const isFixed = canBeFixed && later.every(({ violations }) => violations.length === 0);
  return {
    first: affected.at(-1)?.at,
    last,
    hasFirst: affected.some(({ id }) => id === requests[0]),
    spans: spansOf(affected, ofClient),
    cleanSince: isFixed ? later.length : 0,
  };
}

function spansOf(affected: readonly Summary[], all: readonly Summary[]): number[] {
  const spans = new Array<number>(SPANS).fill(0);
  const start = Date.parse(all.at(-1)?.at ?? '');
  const length = Math.max(1, Date.parse(all[0]?.at ?? '') - start);
  for (const { at } of affected) {
    const index = Math.min(SPANS - 1, Math.floor(((Date.parse(at) - start) / length) * SPANS));
    spans[index] = (spans[index] as number) + 1;
  }
  return spans;
}

/** Counts as bars, without axes: the numbers are told in words beside it. */
const WIDTH = 96;
const HEIGHT = 24;

function Sparkline({ counts }: { counts: readonly number[] }) {
  const most = Math.max(1, ...counts);
  const step = WIDTH / counts.length;
  return (
    <svg class="sparkline" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH} height={HEIGHT} aria-hidden="true">
      {counts.map((count, index) => {
        const height = count === 0 ? 1 : Math.max(3, (count / most) * HEIGHT);
        return <rect key={index} x={index * step} y={HEIGHT - height} width={step - 1} height={height} />;
      })}
    </svg>
  );
}
