/** One row of the stream. It says what was sent, what came back, and what is wrong with it. */
import { duration, timeOfDay } from '../kit/time.ts';
import { visible } from '../kit/visible.ts';
import { addressOf } from '../route.ts';
import type { Entry, Summary } from './kept.ts';
import { Method, Status } from './marks.tsx';
import { type Remark, remarksOn } from './row-words.ts';
import { isUnclaimed } from './unclaimed.tsx';

interface RowProps {
  readonly entry: Entry;
  readonly isOpen: boolean;
  readonly isFresh: boolean;
  readonly isInBody: boolean;
}

const IN_BODY: Remark = { kind: 'quiet', text: 'found in a body' };

export function Row({ entry, isOpen, isFresh, isInBody }: RowProps) {
  const isStray = isUnclaimed(entry);
  const [path, subject] = isStray ? [entry.path, ''] : partsOf(entry);
  const said = isStray ? strayRemarks(entry.message, entry.instead) : remarksOn(entry);
  const remarks = isInBody ? [IN_BODY, ...said] : said;
  return (
    <a
      href={addressOf('traffic', entry.id)}
      class={isFresh ? 'exchange fresh' : 'exchange'}
      aria-current={isOpen ? 'true' : undefined}
    >
      <span class="what">
        <Method method={entry.method} />
        <span class="target">{visible(path)}</span>
        {subject !== '' && <span class={subject[0] === '?' ? 'subject target' : 'subject'}>{visible(subject)}</span>}
      </span>
      <Status status={entry.status} />
      <span class="says">
        {remarks.map(({ kind, text }) => (
          <span key={text} class={kind}>
            {text}
          </span>
        ))}
      </span>
      <span class="marks">
        {isStray ? (
          <span class="mark bad">unclaimed</span>
        ) : (
          <>
            {entry.fromDashboard && <span class="mark">this page</span>}
            <span class="duration">{duration(entry.durationMs)}</span>
          </>
        )}
      </span>
      <time class="when" dateTime={entry.at}>
        {timeOfDay(entry.at)}
      </time>
    </a>
  );
}

/** The path, and what it is about: the name of the pet, or the parameters. */
function partsOf({ target, petName }: Summary): readonly [path: string, subject: string] {
  const at = target.indexOf('?');
  const path = at < 0 ? target : target.slice(0, at);
  return [path, petName === null ? (at < 0 ? '' : target.slice(at)) : `“${petName}”`];
}

const strayRemarks = (message: string, instead: string): Remark[] => [
  { kind: 'bad', text: message.replaceAll('`', '') },
  { kind: 'quiet', text: `send ${instead}` },
];
