/** What can be done with an exchange. */
import type { Schema } from '../../../client/routes.ts';
import { CopyButton } from '../kit/copy.tsx';
import { addressOf } from '../route.ts';
import { serverAddress, useSession } from '../session.ts';
import { useCanCorrect } from './acting.tsx';
import { ArchiveButton } from './archive.tsx';
import { snippetsOf } from './snippets.ts';

export function Tools({ exchange }: { exchange: Schema<'Exchange'> }) {
  const { key } = useSession();
  const canCorrect = useCanCorrect(exchange);
  const snippets = snippetsOf(exchange, serverAddress(), key);
  const link = `${location.href.split('#')[0]}${addressOf('traffic', exchange.id)}`;
  return (
    <div class="tools">
      {canCorrect && (
        <a class="button" href={addressOf('traffic', exchange.id, 'correct')}>
          Send corrected
        </a>
      )}
      {snippets.length === 0 && <span class="hint">No snippets: the journal does not hold the whole body.</span>}
      {snippets.map(({ name, text }, index) => (
        <CopyButton key={name} text={text} what={name === 'curl' ? 'curl line' : name}>
          {index === 0 ? `Copy as ${name}` : `as ${name}`}
        </CopyButton>
      ))}
      <CopyButton text={link} what="link to this exchange">
        Copy link
      </CopyButton>
      <ArchiveButton ids={[exchange.id]} name={`${exchange.id}.har`}>
        Download HAR
      </ArchiveButton>
    </div>
  );
}
