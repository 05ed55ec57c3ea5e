/** One message instead of all others when the key opens nothing any more, or the server does not answer. */
import { ClientError } from '../../client/errors.ts';
import { Prose, sentence, visible } from '../kit/visible.tsx';
import { linkedSandbox, usePlace } from '../route.ts';
import { keptKey, useSession, useSignIn } from '../session.ts';
import { type SandboxState, useSandboxState } from './state.ts';

const isKeyRejected = (error: unknown): boolean => error instanceof ClientError && error.status === 401;

/**
 * The error after which nothing but another key helps; `undefined` as long as the key opens the sandbox. The stream
 * of a key that expires ends up to 15 seconds later, but the state of the sandbox is read more often.
 */
export const keyLossIn = ({ live, faults }: SandboxState): unknown =>
  [live.state === 'broken' ? live.error : undefined, faults.error].find(isKeyRejected);

/** Instead of every view. */
export function KeyGone({ error }: { error: unknown }) {
  const { leave } = useSignIn();
  return (
    <section class="card" aria-labelledby="gone">
      <h1 id="gone">{titleOf(error)}</h1>
      <p role="alert">
        <Prose text={wordsOf(error)} /> {adviceFor(error)}
      </p>
      <button type="button" class="primary" onClick={leave}>
        Use another key
      </button>
    </section>
  );
}

/** Above the choice of a key: why the one that this tab kept opens nothing. */
export const NotOpened = ({ error, onRetry }: { error: unknown; onRetry: () => void }) => (
  <div class="trouble" role="alert">
    <p>
      <strong>{titleOf(error)}.</strong>{' '}
      {isKeyRejected(error) ? adviceFor(error) : keptKey() !== undefined && 'Your key stays in this tab.'}
      <small>
        <Prose text={wordsOf(error)} />
      </small>
    </p>
    {!isKeyRejected(error) && keptKey() !== undefined && (
      <button type="button" onClick={onRetry}>
        Try again
      </button>
    )}
  </div>
);

/** Above the views while the server does not answer; they stay as they were. */
export function Unreachable() {
  const { state, error } = useSandboxState().live;
  if (state !== 'broken') return null;
  return (
    <div class="trouble" role="alert">
      <p>
        The server doesn't respond. What you see is from before; the page tries again by itself.
        <small>
          <Prose text={wordsOf(error)} />
        </small>
      </p>
    </div>
  );
}

/** A sandbox in memory with a key of the server's settings is made again at each start; the request log always is. */
export function Restarted() {
  const { sandbox: opened } = useSession();
  const { sandbox, live } = useSandboxState();
  const isNew = sandbox.value !== undefined && sandbox.value.createdAt !== opened.createdAt;
  if (!isNew && live.restarts === 0) return null;
  return (
    <p class="notice" role="status">
      {isNew
        ? 'The server was restarted and keeps sandboxes in memory: this one started over, and so did its request log.'
        : 'The request log started over while this page wasn’t connected: a restart of the server empties it. Pets, keys and snapshots survive.'}
    </p>
  );
}

/** A link from a colleague that this tab's key does not open. */
export function OtherSandbox() {
  const { sandbox } = useSession();
  const { leave } = useSignIn();
  // A link that is pasted into this tab changes its address only.
  usePlace();
  const wanted = linkedSandbox();
  if (wanted === undefined || wanted === sandbox.id) return null;
  return (
    <p class="notice" role="status">
      This link is to the sandbox <code>{visible(wanted)}</code>, and the key of this tab opens another one.{' '}
      <button type="button" onClick={leave}>
        Use a key to it
      </button>
    </p>
  );
}

function titleOf(error: unknown): string {
  const why = wordsOf(error);
  if (error instanceof ClientError && error.code === 'not_reached') return "The server doesn't respond";
  if (error instanceof ClientError && error.status === 404) return 'This sign-in link no longer works';
  if (!isKeyRejected(error)) return "Couldn't open the sandbox";
  if (why.includes('revoked')) return 'This key was revoked';
  return why.includes('expired') ? 'This key has expired' : 'This key does not belong to a sandbox';
}

/** A key that was revoked or has expired is still known, so its sandbox was not deleted. */
function adviceFor(error: unknown): string {
  return /revoked|expired/.test(wordsOf(error))
    ? 'Another key to the same sandbox opens it with its pets and requests. Or create a new key, which opens a new sandbox.'
    : 'Its sandbox has ended, or the server was restarted and only kept it in memory. Create a new key, or use another key of this server.';
}

/** As worded by the server. */
const wordsOf = (error: unknown): string => (error instanceof Error ? sentence(visible(error.message)) : '');
