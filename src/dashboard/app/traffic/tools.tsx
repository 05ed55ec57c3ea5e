/** What can be done with an exchange. */
import type { Schema } from '../../../client/routes.ts';
import { CopyButton } from '../kit/copy.tsx';
import { addressOf } from '../route.ts';
import { serverAddress, useSession } from '../session.ts';
import { curlOf } from './curl.ts';

export function Tools({ exchange }: { exchange: Schema<'Exchange'> }) {
  const { key } = useSession();
  const curl = curlOf(exchange, serverAddress(), key);
  const link = `${location.href.split('#')[0]}${addressOf('traffic', exchange.id)}`;
  return (
    <p class="tools">
      {curl === undefined ? (
        <span class="hint">No curl line: the journal does not hold the whole body.</span>
      ) : (
        <CopyButton text={curl} what="curl line">
          Copy as curl
        </CopyButton>
      )}
      <CopyButton text={link} what="link to this exchange">
        Copy link
      </CopyButton>
    </p>
  );
}
