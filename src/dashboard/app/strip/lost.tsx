/** One message in place of all others when the key opens nothing any more, or the server does not answer. */
import { ClientError } from '../../../client/errors.ts';
import type { Live } from '../traffic/live.ts';

/** Whether nothing but another key helps. */
export const isKeyGone = ({ state, error }: Live): boolean =>
  state === 'broken' && error instanceof ClientError && error.status === 401;

export function KeyGone({ error, onLeave }: { error: unknown; onLeave: () => void }) {
  const why = error instanceof Error ? error.message : '';
  return (
    <section class="gone" aria-labelledby="gone">
      <h1 id="gone">{titleOf(why)}</h1>
      <p role="alert">{why}.</p>
      <p>Its sandbox may still be there: another key to it opens it. The pets and the traffic are kept.</p>
      <button type="button" class="primary" onClick={onLeave}>
        Use another key
      </button>
    </section>
  );
}

function titleOf(why: string): string {
  if (why.includes('revoked')) return 'This key was revoked';
  return why.includes('expired') ? 'This key has expired' : 'This key opens no sandbox';
}

/** Shown above the views while the server does not answer; they stay as they were. */
export const Unreachable = ({ live }: { live: Live }) =>
  live.state === 'broken' && !isKeyGone(live) ? (
    <div class="trouble" role="alert">
      <p>
        The server does not answer. What you see is from before; the page tries again by itself.
        <small>{live.error instanceof Error ? live.error.message : ''}</small>
      </p>
    </div>
  ) : null;
