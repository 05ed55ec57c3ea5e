/** An error, as worded by the server. */
import { ClientError } from '../../../client/errors.ts';

export function Trouble({ error, retry }: { error: unknown; retry?: () => void }) {
  if (error === undefined) return null;
  return (
    <div class="trouble" role="alert">
      <p>
        {error instanceof Error ? error.message : String(error)}
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
