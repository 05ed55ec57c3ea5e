/** An error, as worded by the server. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { ClientError } from '../../../client/errors.ts';
import { visible } from './visible.ts';

/** Whether the server answers; while it does not, one message on the page says so for all. */
export const ReachContext = createContext(true);

export function Trouble({ error, retry }: { error: unknown; retry?: () => void }) {
  const isReached = useContext(ReachContext);
  if (error === undefined || (!isReached && error instanceof ClientError && error.code === 'not_reached')) return null;
  return (
    <div class="trouble" role="alert">
      <p>
        {visible(error instanceof Error ? error.message : String(error))}
        {error instanceof ClientError && <Details error={error} />}
      </p>
      {retry && (
        <button type="button" class="plain" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

const Details = ({ error: { status, code, requestId } }: { error: ClientError }) => (
  <small> {[...(status > 0 ? [status] : []), code, ...(requestId ? [requestId] : [])].join(' · ')}</small>
);
