/** Follows the pets that the client creates, so that the table needs no reload. */
import { useEffect, useRef } from 'preact/hooks';
import type { ControlsClient } from '../../../client/client.ts';
import { readJson } from '../../../client/json.ts';
import type { Pet } from '../interface.ts';
import { useSession } from '../session.ts';
import type { Summary } from '../traffic/kept.ts';
import type { Live } from '../traffic/live.ts';

/** Of more pets at once, the table is loaded anew. */
const MAX_READ = 10;

/** @param onCreated called with the pets; with `undefined` if they have to be loaded */
export function useCreations(
  { arrived, exchanges }: Live,
  onCreated: (pets: readonly Pet[] | undefined) => void,
): void {
  const { client } = useSession();
  const seen = useRef(arrived);
  const told = useRef(onCreated);
  told.current = onCreated;
  useEffect(() => {
    const fresh = exchanges.slice(0, arrived - seen.current).filter(({ effect }) => effect !== null);
    seen.current = arrived;
    if (fresh.length === 0) return;
    const reading = fresh.length > MAX_READ ? Promise.reject() : Promise.all(fresh.map((each) => petOf(client, each)));
    reading.then(
      (pets) => told.current(pets),
      () => told.current(undefined),
    );
  }, [arrived]);
}

/** From the journal: another list request would only add traffic. @throws when it is not there as a whole */
async function petOf(client: ControlsClient, { id, effect }: Summary): Promise<Pet> {
  const { request } = await client.request('GET /requests/{requestId}', { params: { requestId: id } });
  if (request.body === null || request.cut || effect?.created.length !== 1) throw new Error('it has to be loaded');
  const { name, categoryId, status } = readJson(request.body) as Pet;
  return { id: BigInt(effect.created[0] as string), name, categoryId, ...(status === undefined ? {} : { status }) };
}
