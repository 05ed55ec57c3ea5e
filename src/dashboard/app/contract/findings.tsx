/** What was found, in groups: the same mistake once, with how often and in which requests. */
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

export function Findings({ report }: { report: Report }) {
  const of = <T extends Occurrences>(
    all: (operation: Operation) => readonly T[],
    shown: (found: T) => Omit<Entry, keyof Occurrences | 'operation'>,
  ): Entry[] =>
    report.operations.flatMap((operation) =>
      all(operation).map((found) => ({
        operation: operation.operation,
        count: found.count,
        requests: found.requests,
        last: found.last,
        ...shown(found),
      })),
    );
  const groups: readonly (readonly [string, string, Entry[]])[] = [
    ['Violations', 'bad', of((each) => each.violations, placed)],
    [
      'Large integers that came back rounded',
      'bad',
      of(
        (each) => each.rounded,
        ({ place, sent, handedOut }) => ({
          what: (
            <>
              <code>{place}</code> {handedOut} was handed out, {sent} came back: the client reads it as a floating-point
              number
            </>
          ),
          where: undefined,
        }),
      ),
    ],
    ['Answers of the sandbox that break the document', 'bad', of((each) => each.brokenAnswers, placed)],
    [
      'Not judged',
      'bad',
      of(
        (each) => each.unjudged,
        ({ reason }) => ({ what: reason, where: undefined }),
      ),
    ],
    [
      'Warnings',
      'warn',
      of(
        (each) => each.warnings,
        ({ place, message }) => ({ what: <Placed place={place} message={message} />, where: undefined }),
      ),
    ],
    [
      'Injected faults',
      'fault',
      of(
        (each) => each.injected,
        ({ fault }) => ({ what: <code>{fault}</code>, where: undefined }),
      ),
    ],
  ];
  const some = groups.filter(([, , entries]) => entries.length > 0);
  return (
    <section class="card findings" aria-labelledby="findings">
      <h2 id="findings">Findings</h2>
      {some.length === 0 && <p class="hint">None.</p>}
      {some.map(([title, kind, entries]) => (
        <section key={title} aria-label={title}>
          <h3>
            {title} <span class={`mark ${kind}`}>{entries.reduce((sum, { count }) => sum + count, 0)}</span>
          </h3>
          <ul class="entries">
            {entries.map((entry, index) => (
              <li key={index}>
                <span class="entry">
                  <span>
                    <strong>{entry.operation}</strong> {entry.what}
                  </span>
                  {entry.where && <small>{entry.where}</small>}
                </span>
                <span class="times">
                  {many(entry.count, 'time')}
                  <a href={addressOf('traffic', entry.last)} aria-label={`Last request of ${entry.operation}`}>
                    last
                  </a>
                </span>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </section>
  );
}

interface Found extends Occurrences {
  readonly place: string;
  readonly message: string;
  readonly pointer: string;
}

const placed = ({ place, message, pointer }: Found) => ({
  what: <Placed place={place} message={message} />,
  where: pointer,
});

const Placed = ({ place, message }: { place: string; message: string }) => (
  <>
    <code>{place}</code> {message}
  </>
);
