/** The welcome view: create a key or paste one. */
import { OpenFile } from './files.tsx';
import { useAction } from './kit/action.ts';
import { Form, FormField } from './kit/form.tsx';
import { Trouble } from './kit/trouble.tsx';
import { visible } from './kit/visible.tsx';
import { linkedSandbox, REFERENCE } from './route.ts';
import { openClient, openSession, useSignIn } from './session.ts';
import { NotOpened } from './strip/lost.tsx';

interface WelcomeProps {
  /** Why the stored key no longer opens a sandbox. */
  readonly error: unknown;
  /** Tries the stored key again. */
  readonly onRetry: () => void;
}

export function Welcome({ error, onRetry }: WelcomeProps) {
  const { open } = useSignIn();
  const making = useAction();
  const linked = linkedSandbox();
  const make = (): Promise<unknown> =>
    making.run(async () => {
      const issued = await openClient().request('POST /keys', { body: { label: 'dashboard' } });
      open(await openSession(issued.key));
    });
  return (
    <main class="welcome">
      <h1>See what your client does</h1>
      <p class="hint">
        A key opens a sandbox of your own: its pets, its clock, its faults. Every request that carries the key shows up
        here, with what is wrong in it and what the specification says.
      </p>
      {linked !== undefined && (
        <p class="notice">
          This link is to the sandbox <code>{visible(linked)}</code>. Give a key to it: the link then opens.
        </p>
      )}
      {error !== undefined && <NotOpened error={error} onRetry={onRetry} />}
      <div class="cards">
        <section class="card">
          <h2>I have a key</h2>
          <Form button="Open its sandbox" onSend={async ({ key = '' }) => open(await openSession(keyIn(key)))}>
            <FormField label="Key">
              <input name="key" type="password" autoComplete="off" spellcheck={false} required />
            </FormField>
          </Form>
          <p class="hint">
            It is kept in this tab only. Without typing: open the link that the server printed, or that{' '}
            <code>npx petstore-sandbox dashboard</code> prints.
          </p>
        </section>
        <section class="card">
          <h2>Another sandbox</h2>
          <p>
            Makes another, empty sandbox: a dozen pets, no requests. What you send with a key that you have is not in
            it. It expires automatically.
          </p>
          <button type="button" disabled={making.isBusy} onClick={() => void make()}>
            Make a key
          </button>
          <Trouble error={making.error} />
        </section>
        <section class="card">
          <h2>I have a recording</h2>
          <p>Opens as a new sandbox, and contains no key. Or drop the file anywhere on this page.</p>
          <OpenFile />
        </section>
      </div>
      <p>
        <a href={REFERENCE}>The reference</a> describes every operation, and <a href="docs/">the documentation</a> the
        rest. Neither needs a key.
      </p>
    </main>
  );
}

/** Also of a whole header, as it is copied from elsewhere. */
const keyIn = (text: string): string => text.trim().replace(/^(authorization\s*:\s*)?bearer\s+/i, '');
