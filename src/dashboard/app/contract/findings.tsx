/** Findings in groups: each mistake once, with its count and its requests. */
import type { ComponentChildren } from 'preact';
import type { Occurrences, Report } from '../../../report/report.ts';
import { many } from '../kit/time.ts';
import { addressOf } from '../route.ts';

interface Entry extends Occurrences {
  readonly operation: string;
  readonly what: ComponentChildren;
  readonly where: string | undefined;
}

type Operation = Report['operations'][number];

/** The lists of findings of an operation. */
type Lists = 'violations' | 'rounded' | 'brokenResponses' | 'unjudged' | 'warnings' | 'injected';

interface Group {
  readonly title: string;
  readonly kind: 'bad' | 'warn' | 'fault';
  readonly entries: readonly Entry[];
}

export function Findings({ report }: { report: Report }) {
  const groups = groupsOf(report).filter(({ entries }) => entries.length > 0);
  return (
    <section class="card findings" aria-labelledby="findings">
      <h2 id="findings">Findings</h2>
      {groups.length === 0 && <p class="hint">None.</p>}
      {groups.map(({ title, kind, entries }) => (
        <section key={title} aria-label={title}>
          <h3>
            {title} <span class={`mark ${kind}`}>{entries.reduce((sum, { count }) => sum + count, 0)}</span>
          </h3>
          <ul class="entries">
            {entries.map((entry, index) => (
              <Row key={index} entry={entry} />
            ))}
          </ul>
        </section>
      ))}
    </section>
  );
}

const Row = ({ entry }: { entry: Entry }) => (
  <li>
    <span class="entry">
      <span>
        <strong>{entry.operation}</strong> {entry.what}
      </span>
      {entry.sample.instead !== null && (
        <small>
          Send <code>{entry.sample.instead}</code>
        </small>
      )}
      {entry.where && <small>{entry.where}</small>}
    </span>
    <span class="times">
      {many(entry.count, 'time')}
      <a href={addressOf('traffic', entry.last)} aria-label={`Last request of ${entry.operation}`}>
        last
      </a>
    </span>
  </li>
);

/** All groups, empty ones included, the gravest first. */
function groupsOf({ operations, habits }: Report): readonly Group[] {
  const of = <List extends Lists>(
    list: List,
    what: (found: Operation[List][number]) => ComponentChildren,
    where: (found: Operation[List][number]) => string | undefined = () => undefined,
  ): Entry[] =>
    operations.flatMap((operation) =>
      (operation[list] as readonly Operation[List][number][]).map((found) => ({
        operation: operation.operation,
        sample: found.sample,
        count: found.count,
        requests: found.requests,
        last: found.last,
        what: what(found),
        where: where(found),
      })),
    );
  const habitEntries = habits.found.map(({ operation, message, ...found }) => ({
    ...found,
    operation: operation ?? 'Several operations',
    what: message,
    where: undefined,
  }));
  return [
    { title: 'Violations', kind: 'bad', entries: of('violations', placed, pointerOf) },
    { title: 'Large integers that came back rounded', kind: 'bad', entries: of('rounded', rounding) },
    {
      title: 'Responses of the sandbox that break the specification',
      kind: 'bad',
      entries: of('brokenResponses', placed, pointerOf),
    },
    {
      title: 'Not judged',
      kind: 'bad',
      entries: of('unjudged', ({ reason }) => reason),
    },
    { title: 'Warnings', kind: 'warn', entries: of('warnings', placed) },
    { title: 'Habits', kind: 'warn', entries: habitEntries },
    {
      title: 'Lost responses to creations',
      kind: 'fault',
      entries: habits.lostCreations.map(({ message, ...found }) => ({ ...found, what: message, where: undefined })),
    },
    {
      title: 'Injected faults',
      kind: 'fault',
      entries: of('injected', ({ fault }) => <code>{fault}</code>),
    },
  ];
}

const placed = ({ place, message }: { place: string; message: string }) => (
  <>
    <code>{place}</code> {message}
  </>
);

const pointerOf = ({ pointer }: { pointer: string }): string => pointer;

const rounding = ({ place, sent, handedOut }: Operation['rounded'][number]) => (
  <>
    <code>{place}</code> {handedOut} was handed out, {sent} came back: the client reads it as a floating-point number
  </>
);
