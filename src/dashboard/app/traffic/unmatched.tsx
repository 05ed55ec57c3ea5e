/** A request that belongs to no sandbox: why, and what to send instead. */
import { useEffect, useRef } from 'preact/hooks';
import type { Schema } from '../../../client/routes.ts';
import { addressOn } from '../address-on.ts';
import { Paste } from '../kit/copy.tsx';
import { timeOfDay } from '../kit/time.ts';
import { visible } from '../kit/visible.ts';
import { addressOf } from '../route.ts';
import { serverAddress, useSession } from '../session.ts';
import { Method, Status } from './marks.tsx';
import { quoted } from './snippets.ts';

export type Unmatched = Schema<'UnmatchedRequest'>;

export const isUnmatched = (entry: object): entry is Unmatched => 'reason' in entry;

export function UnmatchedView({ request }: { request: Unmatched }) {
  const { key } = useSession();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), [request.id]);
  const { method, path, instead, message, userAgent } = request;
  const [target, fixedMethod] = mended(request);
  return (
    <article class="exchange-view" aria-label="Unmatched request">
      <nav class="back">
        <a href={addressOf('traffic')}>← All traffic</a>
      </nav>
      <h2 ref={heading} tabIndex={-1}>
        <Method method={method} /> <span class="target">{visible(path)}</span> <Status status={request.status} />
      </h2>
      <p class="outcome bad">
        It belongs to no sandbox: {message.replaceAll('`', '')}. Send <code>{instead}</code>
      </p>
      <p class="facts">
        <time dateTime={request.at}>{timeOfDay(request.at)}</time>
        {userAgent !== null && <span>{visible(userAgent)}</span>}
        <code>{request.id}</code>
      </p>
      <Paste
        title="The same request, mended"
        what="mended request"
        text={`curl -i ${fixedMethod === 'GET' ? '' : `-X ${quoted(fixedMethod)} `}${quoted(addressOn(serverAddress(), target))} -H ${quoted(`Authorization: Bearer ${key}`)}`}
      />
      <p class="hint">
        Requests without a usable key cannot be told apart: this list is the same for all sandboxes of this server, and
        counts in no contract report unless yours was the only sandbox at work.
      </p>
    </article>
  );
}

/** The target and method to send: of a wrong path, those of the nearest operation. */
function mended({ reason, method, path, instead }: Unmatched): readonly [target: string, method: string] {
  const [, nearMethod, nearPath] = /^([A-Z]+) (\/\S*)/.exec(instead) ?? [];
  return reason === 'outside-base-path' && nearMethod && nearPath ? [nearPath, nearMethod] : [path, method];
}
