/** Drills by hand: choose one, do its task with your own client, and see its checks beside the requests. */
import { ClientError } from '../../../client/errors.ts';
import { useAnnounce } from '../kit/announce.tsx';
import { useAction, useLoaded } from '../kit/async.ts';
import { Trouble } from '../kit/trouble.tsx';
import { openSession, type Session, useSession } from '../session.ts';
import type { Live } from '../traffic/live.ts';
import { Catalogue } from './catalogue.tsx';
import { RunningDrill } from './running-drill.tsx';

export function Drills({ live, onOpen }: { live: Live; onOpen: (session: Session) => void }) {
  const { client } = useSession();
  const announce = useAnnounce();
  const acting = useAction();
  const catalogue = useLoaded(() => client.request('GET /drills'), [client]);
  // The checks change with the traffic.
  const running = useLoaded(
    () => client.request('GET /drill').catch(undefinedWhereNone),
    [client, live.arrived, live.resets],
  );

  const start = (drill: string): void =>
    void acting.run(async () => {
      const task = await client.request('PUT /drill', { body: { drill } });
      announce(`The drill ${drill} has started.`);
      // This drill revokes the key that started it; the page goes on with the second one.
      if (task.secondKey !== null) onOpen(await openSession(task.secondKey));
      else running.reload();
    });
  const change = (work: () => Promise<unknown>, message: string): void =>
    void acting.run(async () => {
      await work();
      announce(message);
      running.reload();
    });

  return (
    <>
      <Head />
      <Trouble error={acting.error ?? catalogue.error ?? running.error} />
      <div class="drills">
        <Catalogue
          drills={catalogue.value?.drills ?? []}
          running={running.value?.drill}
          isBusy={acting.isBusy}
          onStart={start}
        />
        {running.value ? (
          <RunningDrill
            result={running.value}
            drill={catalogue.value?.drills.find(({ id }) => id === running.value?.drill)}
            onOutcome={(success) =>
              change(
                () => client.request('POST /drill/outcome', { body: { success, crashed: false } }),
                `Noted: your client ${success ? 'succeeded' : 'failed'}.`,
              )
            }
            onEnd={() => change(() => client.request('DELETE /drill'), 'The drill has ended.')}
          />
        ) : (
          running.error === undefined && !running.isLoading && <p class="hint">No drill is running.</p>
        )}
      </div>
    </>
  );
}

const Head = () => (
  <header class="view-head">
    <h1>Drills</h1>
    <p class="hint">
      A drill is a situation in which something goes wrong. Start one, do its task with your client and this key, and
      see how it did. A start resets this sandbox and clears its journal.
    </p>
  </header>
);

/** 404 says that no drill is running. @throws every other error */
function undefinedWhereNone(error: unknown): undefined {
  if (error instanceof ClientError && error.status === 404) return undefined;
  throw error;
}
