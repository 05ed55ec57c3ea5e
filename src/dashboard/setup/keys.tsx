/** The keys to this sandbox. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Schema } from '../../client/routes.ts';
import { useAction } from '../kit/action.ts';
import { ConfirmButton } from '../kit/confirm.tsx';
import { CopyButton } from '../kit/copy.tsx';
import { Form, FormField, type Given, ListItem } from '../kit/form.tsx';
import { timeOfDay, until } from '../kit/time.ts';
import { Trouble } from '../kit/trouble.tsx';
import { visible } from '../kit/visible.tsx';
import { useSession, useSignIn } from '../session.ts';
import { useSandboxState } from '../strip/state.ts';

export function KeysCard() {
  const { client } = useSession();
  const { signOut } = useSignIn();
  const acting = useAction();
  const [issued, setIssued] = useState<Schema<'IssuedKey'> | undefined>(undefined);
  const { keys } = useSandboxState();
  const share = async ({ label, hours }: Given): Promise<string> => {
    const ttlSeconds = Number(hours) * 3600 || undefined;
    setIssued(await client.request('POST /keys', { body: { label: label || undefined, ttlSeconds, shared: true } }));
    return 'Second key created. It’s shown once.';
  };
  const revoke = (keyId: string): void =>
    void acting.run(async () => {
      await client.request('DELETE /keys/{keyId}', { params: { keyId } });
      return 'The key was revoked.';
    });
  return (
    <section class="card" aria-labelledby="keys">
      <h2 id="keys">Keys</h2>
      <Trouble error={acting.error ?? keys.error} />
      <ul class="entries">
        {keys.value?.map(({ id, label, expiresAt, current }) => (
          <ListItem
            key={id}
            name={[visible(label ?? id), ' ', current && <span class="mark">this tab</span>]}
            detail={expiresAt === null ? 'never ends' : `ends ${until(expiresAt)}, ${timeOfDay(expiresAt)}`}
          >
            <ConfirmButton
              class="plain danger"
              name={`Revoke ${visible(label ?? id)}`}
              question={`Revoke ${visible(label ?? id)}?`}
              loss={lossOf(current, keys.value?.length === 1)}
              onConfirm={() => revoke(id)}
            >
              Revoke
            </ConfirmButton>
          </ListItem>
        ))}
      </ul>
      <h3>A second key to this sandbox</h3>
      <Form button="Make a key" onSend={share}>
        <div class="row">
          <FormField label="Label">
            <input name="label" autoComplete="off" placeholder="for a colleague" />
          </FormField>
          <FormField label="Hours">
            <input name="hours" type="number" min="1" placeholder="longest" />
          </FormField>
        </div>
      </Form>
      {issued && <IssuedKey issued={issued} />}
      <button type="button" onClick={signOut}>
        Sign out
      </button>
    </section>
  );
}

function lossOf(isOfThisTab: boolean, isLast: boolean): string {
  if (isLast)
    return 'This is the last key. You’ll lose the sandbox: nobody can open it again, neither your client nor this page.';
  return isOfThisTab
    ? 'This is the key of this tab. The page will close this sandbox and ask for another key. Clients with this key get 401.'
    : 'Clients with this key get 401 from now on. Other keys stay.';
}

interface IssuedKeyProps {
  readonly issued: Schema<'IssuedKey'>;
  readonly children?: ComponentChildren;
}

/** A new key, which is shown only here. */
export const IssuedKey = ({ issued: { key }, children }: IssuedKeyProps) => (
  <div class="notice">
    <p>Copy it now. It won’t be shown again.</p>
    <code>{key}</code>
    <CopyButton text={key} what="key">
      Copy key
    </CopyButton>
    {children}
  </div>
);
