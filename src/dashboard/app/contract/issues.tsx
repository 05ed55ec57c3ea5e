/** Issues: each problem once, with how often and when it was seen, how to mend it, and the requests with it. */
import type { Report } from '../../../report/report.ts';
import { Sparkline } from '../kit/sparkline.tsx';
import { many, timeOfDay } from '../kit/time.ts';
import { visible } from '../kit/visible.ts';
import { addressOf } from '../route.ts';
import type { Summary } from '../traffic/kept.ts';
import { type Course, courseOf } from './course.ts';
import { type Group, type Problem, problemsIn } from './problems.tsx';

interface IssuesProps {
  readonly report: Report;
  readonly exchanges: readonly Summary[];
}

export function Issues({ report, exchanges }: IssuesProps) {
  const groups = problemsIn(report).filter(({ problems }) => problems.length > 0);
  return (
    <section class="card issues" aria-labelledby="issues">
      <h2 id="issues">Issues</h2>
      {groups.length === 0 && (
        <p class="hint">{report.totals.exchanges === 0 ? 'No request was seen yet.' : 'None were found.'}</p>
      )}
      {groups.map(({ title, kind, canBeFixed = false, problems }) => (
        <section key={title} aria-label={title}>
          <h3>
            {title} <span class={`mark ${kind}`}>{problems.reduce((sum, { count }) => sum + count, 0)}</span>
          </h3>
          <ul class="entries">
            {problems.map((problem, index) => (
              <Issue key={index} problem={problem} kind={kind} course={courseOf(problem, exchanges, canBeFixed)} />
            ))}
          </ul>
        </section>
      ))}
    </section>
  );
}

interface IssueProps {
  readonly problem: Problem;
  readonly kind: Group['kind'];
  readonly course: Course;
}

const Issue = ({ problem, kind, course }: IssueProps) => (
  <li class={`issue ${course.cleanSince > 0 ? 'fixed' : kind}`}>
    <div class="entry">
      <p>
        <strong>{problem.operation}</strong> {problem.what}
        {course.cleanSince > 0 && (
          <>
            {' '}
            <span class="mark good">fixed since</span>
          </>
        )}
      </p>
      <Fix problem={problem} />
      <Requests problem={problem} />
      {problem.where && (
        <p>
          <small>
            <a href={addressOf('specification', problem.where.replace(/^#?\//, ''))}>{problem.where}</a>
          </small>
        </p>
      )}
    </div>
    <div class="course">
      <Sparkline counts={course.spans} />
      <small>{many(problem.count, 'time')}</small>
      {course.last !== undefined && (
        <small>
          {course.first === course.last ? '' : `${timeOfDay(course.first as string)} to `}
          {timeOfDay(course.last)}
        </small>
      )}
      {course.cleanSince > 0 && <small>{many(course.cleanSince, 'clean request')} since</small>}
    </div>
  </li>
);

const Fix = ({ problem: { sample } }: { problem: Problem }) =>
  sample.instead === null ? null : (
    <p class="mend">
      {/* Where something is missing, the sample is the whole body. */}
      {sample.sent !== null && !sample.sent.startsWith('{') && sample.sent !== sample.instead && (
        <>
          <del>
            <code>{visible(sample.sent)}</code>
          </del>{' '}
        </>
      )}
      <ins>
        <code>{visible(sample.instead)}</code>
      </ins>
    </p>
  );

/** The first requests and the last one. */
function Requests({ problem: { requests, last, operation } }: { problem: Problem }) {
  const ids = [...new Set([last, ...requests])];
  return (
    <p class="affected">
      {ids.map((id, index) => (
        <a
          key={id}
          href={addressOf('traffic', id)}
          aria-label={index === 0 ? `Last request of ${operation}` : undefined}
        >
          {index === 0 ? 'Last request' : id}
        </a>
      ))}
    </p>
  );
}
