/** An error, as worded by the server. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { ClientError } from '../../client/errors.ts';
import { Prose } from './visible.tsx';

/** Whether the server answers; while it does not, one message on the page says so for all. */
export const ReachContext = createContext(true);

export function Trouble({ error, retry }: { error: unknown; retry?: () => void }) {
  const isReached = useContext(ReachContext);
  if (error === undefined || (!isReached && error instanceof ClientError && error.code === 'not_reached')) return null;
  return (
    <div class="trouble" role="alert">
      <p>
        <Prose text={error instanceof Error ? error.message : String(error)} />
        {error instanceof ClientError && (
          <small>{[error.status || '', error.code, error.requestId ?? ''].filter(String).join(' · ')}</small>
        )}
      </p>
      {retry && (
        <button type="button" class="plain" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}
