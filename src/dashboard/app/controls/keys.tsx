/** The keys to this sandbox. */

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Schema } from '../../../client/routes.ts';
import { useAnnounce } from '../kit/announce.tsx';
import { useAction } from '../kit/async.ts';
import { ConfirmButton } from '../kit/confirm.tsx';
import { CopyButton } from '../kit/copy.tsx';
import { moment, until } from '../kit/time.ts';
import { Trouble } from '../kit/trouble.tsx';
import { visible } from '../kit/visible.ts';
import { useSession } from '../session.ts';
import { useSandboxState } from '../strip/state.ts';

export function KeysCard() {
  const { client } = useSession();
  const announce = useAnnounce();
  const acting = useAction();
  const [issued, setIssued] = useState<Schema<'IssuedKey'> | undefined>(undefined);
  const { keys } = useSandboxState();
  const share = (body: Share): Promise<boolean> =>
    acting.run(async () => {
      setIssued(await client.request('POST /keys', { body: { ...body, shared: true } }));
      announce('A second key was made. It is shown once.');
    });
  const revoke = (id: string): Promise<boolean> =>
    acting.run(async () => {
      await client.request('DELETE /keys/{keyId}', { params: { keyId: id } });
      announce('The key was revoked.');
      keys.reload();
    });
  return (
    <section class="card" aria-labelledby="keys">
      <h2 id="keys">Keys</h2>
      <Trouble error={acting.error ?? keys.error} />
      <ul class="entries">
        {keys.value?.map(({ id, label, expiresAt, current }) => (
          <li key={id}>
            <span class="entry">
              <strong>
                {visible(label ?? id)} {current && <span class="mark">this tab</span>}
              </strong>
              <small>{expiresAt === null ? 'never ends' : `ends ${until(expiresAt)}, ${moment(expiresAt)}`}</small>
            </span>
            <ConfirmButton
              class="plain danger"
              name={`Revoke ${visible(label ?? id)}`}
              question={`Revoke ${visible(label ?? id)}?`}
              loss={lossOf(current, keys.value?.length === 1)}
              onConfirm={() => void revoke(id)}
            >
              Revoke
            </ConfirmButton>
          </li>
        ))}
      </ul>
      <ShareForm isBusy={acting.isBusy} onShare={share} />
      {issued && <IssuedKey issued={issued} />}
    </section>
  );
}

function lossOf(isOfThisTab: boolean, isLast: boolean): string {
  if (isLast)
    return 'It is the last key. You lose the sandbox: nobody can open it again, neither your client nor this page.';
  return isOfThisTab
    ? 'It is the key of this tab. The page closes this sandbox and asks for another key. Clients with this key get 401.'
    : 'Clients with this key get 401 from now on. Other keys stay.';
}

interface Share {
  readonly label: string | undefined;
  readonly ttlSeconds: number | undefined;
}

function ShareForm({ isBusy, onShare }: { isBusy: boolean; onShare: (share: Share) => Promise<boolean> }) {
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const fields = new FormData(form);
    const label = String(fields.get('label')).trim();
    const hours = Number(fields.get('hours'));
    const share = { label: label === '' ? undefined : label, ttlSeconds: hours > 0 ? hours * 3600 : undefined };
    void onShare(share).then((done) => done && form.reset());
  };
  return (
    <form onSubmit={submit}>
      <h3>A second key to this sandbox</h3>
      <div class="row">
        <label>
          <span>Label</span>
          <input name="label" autoComplete="off" placeholder="for a colleague" />
        </label>
        <label>
          <span>Hours</span>
          <input name="hours" type="number" min="1" placeholder="longest" />
        </label>
      </div>
      <button type="submit" disabled={isBusy}>
        Make a key
      </button>
    </form>
  );
}

/** A new key, which is shown only here. */
interface IssuedKeyProps {
  readonly issued: Schema<'IssuedKey'>;
  readonly children?: ComponentChildren;
}

export const IssuedKey = ({ issued, children }: IssuedKeyProps) => (
  <div class="issued">
    <p>Copy it now: it is not shown again.</p>
    <code>{issued.key}</code>
    <p class="buttons">
      <CopyButton text={issued.key} what="key">
        Copy key
      </CopyButton>
      {children}
    </p>
  </div>
);
