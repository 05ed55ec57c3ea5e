/** Requests that belong to no sandbox, as one line that opens: why, and what to send instead. */
import type { Schema } from '../../../client/routes.ts';
import { many, timeOfDay } from '../kit/time.ts';
import { visible } from '../kit/visible.ts';
import { Method, Status } from './marks.tsx';

/** Requests that are listed. */
const MOST = 50;

export function UnmatchedRequests({ requests }: { requests: readonly Schema<'UnmatchedRequest'>[] }) {
  if (requests.length === 0) return null;
  return (
    <details class="unmatched">
      <summary>{many(requests.length, 'request')} matched no sandbox</summary>
      <p class="hint">
        They came without a usable key, or to no path of the API. The list is the same for all sandboxes of this server.
      </p>
      <ul class="entries">
        {requests.slice(0, MOST).map(({ id, at, method, path, status, message, instead, userAgent }) => (
          <li key={id}>
            <Status status={status} />
            <span class="entry">
              <span>
                <Method method={method} /> <span class="target">{visible(path)}</span>
              </span>
              <span>{message.replaceAll('`', '')}</span>
              <small>
                Send <code>{instead}</code> {userAgent !== null && ` · ${visible(userAgent)}`}
              </small>
            </span>
            <small>{timeOfDay(at)}</small>
          </li>
        ))}
      </ul>
    </details>
  );
}
