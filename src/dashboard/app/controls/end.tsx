/** Ends the sandbox for good. */
import { useAnnounce } from '../kit/announce.tsx';
import { useAction } from '../kit/async.ts';
import { ConfirmButton } from '../kit/confirm.tsx';
import { many } from '../kit/time.ts';
import { Trouble } from '../kit/trouble.tsx';
import { useSession } from '../session.ts';
import { useSandboxState } from '../strip/state.ts';
import type { Live } from '../traffic/live.ts';
import { listed } from './loss.ts';

/** @param onLeave closes the sandbox in this tab */
export function EndCard({ live, onLeave }: { live: Live; onLeave: () => void }) {
  const { client, sandbox } = useSession();
  const state = useSandboxState();
  const announce = useAnnounce();
  const ending = useAction();
  const end = (): void =>
    void ending.run(async () => {
      await client.request('DELETE /');
      announce('The sandbox has ended.');
      onLeave();
    });
  const pets = state.sandbox.value?.pets.total ?? 0;
  const keys = state.keys.value?.length ?? 0;
  const lost = [many(pets, 'pet'), 'all snapshots', many(live.total, 'request'), many(keys, 'key')];
  return (
    <section class="card" aria-labelledby="end">
      <h2 id="end">End</h2>
      {sandbox.fixed ? (
        <p class="hint">The key of this sandbox is in the server’s settings, so it can be reset, but not ended.</p>
      ) : (
        <>
          <p class="hint">Deletes this sandbox with all its data and keys.</p>
          <ConfirmButton
            isBusy={ending.isBusy}
            question="End sandbox?"
            loss={`You lose ${listed(lost)}. Clients with a key to it get 401. There is no way back.`}
            onConfirm={end}
          >
            End sandbox
          </ConfirmButton>
        </>
      )}
      <Trouble error={ending.error} />
    </section>
  );
}
