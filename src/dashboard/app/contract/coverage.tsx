/** Coverage of documented responses: a tile for each, filled if it was seen. */
import type { Report } from '../../../report/report.ts';
import { many } from '../kit/time.ts';

type Operation = Report['operations'][number];

export const Coverage = ({ report }: { report: Report }) => (
  <section class="card" aria-labelledby="coverage">
    <h2 id="coverage">Coverage</h2>
    <p class="hint">Every operation, and the responses that the specification describes for it.</p>
    <ul class="coverage">
      {report.operations.map((operation) => (
        <li key={operation.operation}>
          <p>
            <strong>{operation.operation}</strong>{' '}
            <code>
              {operation.method} {operation.path}
            </code>
            {operation.deprecated && <span class="mark warn">deprecated</span>}
          </p>
          <Tiles operation={operation} />
        </li>
      ))}
    </ul>
    {report.coverage.neverSeen.length > 0 && (
      <details>
        <summary>How to see the {many(report.coverage.neverSeen.length, 'other response')}</summary>
        <ul class="hints">
          {report.coverage.neverSeen.map(({ operation, status, hint }) => (
            <li key={`${operation} ${status}`}>
              <code>
                {operation} {status}
              </code>{' '}
              {hint}
            </li>
          ))}
        </ul>
      </details>
    )}
  </section>
);

const Tiles = ({ operation: { responses, otherResponses } }: { operation: Operation }) => (
  <ul class="tiles">
    {responses.map(({ status, description, seen, injected }) => (
      <li key={status} class={seen > 0 ? 'tile seen' : 'tile'} title={description}>
        <strong>{status}</strong>
        <small>{seen > 0 ? `seen ${many(seen, 'time')}` : injected > 0 ? 'by fault only' : 'not seen'}</small>
      </li>
    ))}
    {otherResponses.map(({ status, seen, injected }) => (
      <li key={status} class="tile other" title="Described by default only">
        <strong>{status}</strong>
        <small>{seen > 0 ? `seen ${many(seen, 'time')}` : `fault, ${many(injected, 'time')}`}</small>
      </li>
    ))}
  </ul>
);
