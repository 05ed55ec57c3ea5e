/** Every view of the dashboard, in each state that looks different: a test walks through them and looks at each. */
import type { Page } from 'playwright-core';
import type { Client } from '../support/client.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { arrive, visit } from './visit.ts';

/** Rejected requests and a server that has ended are states, too. */
const EXPECTED = /the server responded with a status of 4\d\d|ERR_|Failed to fetch|chunked/;

/** Traffic of every kind, so that no view is empty. @returns the id of a request with three violations */
async function makeTraffic(client: Client): Promise<string> {
  await client.get('/v1/pets', { Authorization: 'Bearer petsbx_unknown' });
  await client.get('/v1/pets');
  await client.get('/v1/pets?limit=500');
  await client.get('/v1/pets/1');
  await client.get('/v1/pets', { 'Sandbox-Fault': 'status=503' });
  await client.post('/v1/pets', { name: 'Biscuit', categoryId: 1, status: 'available' });
  const wrong = await client.post('/v1/pets', '{"name":"Doughnut","catgoryId":7,"status":"SOLD"}');
  await client.post('/_sandbox/snapshots', { name: 'before-checkout' });
  await client.post('/_sandbox/faults', { operation: 'createPet', when: 'after', connection: 'reset', times: 1 });
  await client.post('/_sandbox/faults', { operation: 'getPet', delayMs: 200, times: 2 });
  await client.post('/v1/pets', { name: 'Lost', categoryId: 1 }).catch(() => undefined);
  return wrong.requestId;
}

/** Waits until nothing has changed for a moment and nothing moves: what the page loads by itself is there. */
export async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready;
    await Promise.all(document.getAnimations().map(({ finished }) => finished.catch(() => undefined)));
    await new Promise<void>((done) => {
      let timer = setTimeout(done, 100);
      new MutationObserver(() => {
        clearTimeout(timer);
        timer = setTimeout(done, 100);
      }).observe(document.body, { subtree: true, childList: true, characterData: true });
    });
  });
}

interface State {
  readonly name: string;
  readonly page: Page;
}

/** How a state is reached from the one before it, and the text by which it is known. */
type Step = readonly [name: string, at: string, sign: string, act?: (page: Page) => Promise<unknown>];

const showKeys = async (page: Page): Promise<void> => {
  await page.locator('.keyboard').waitFor();
  await page.keyboard.press('?');
};

const steps = (request: string): readonly Step[] => [
  ['live', '/#/live', 'categoryId is required'],
  ['compose', '/#/live/new', 'listPets'],
  ['keys', '/#/live', 'show these shortcuts', showKeys],
  ['no-match', '/#/live?contains=nowhere', 'No request matches.'],
  ['exchange', `/#/live/${request}`, 'Fix and send'],
  ['response', `/#/live/${request}/response`, '"invalid_request"'],
  ['resend', `/#/live/${request}/edit`, 'As it was sent'],
  ['pets', '/#/pets', 'pets in this sandbox'],
  ['setup', '/#/setup', 'used up'],
  ['reset', '/#/setup', 'Cancel', (page) => page.getByRole('button', { name: 'Reset', exact: true }).click()],
  ['revoke', '/#/setup', 'Cancel', (page) => page.getByRole('button', { name: /^Revoke/ }).click()],
  ['drills', '/#/drills', 'lost-create'],
  ['ready', '/#/ready', 'Survives 5 December 2030'],
  ['drill', '/#/drills/lost-create', 'There is at most one pet of that name.'],
];

async function* sandboxStates(server: TestServer): AsyncGenerator<State> {
  const { page, client } = await visit({ server, expected: EXPECTED });
  await page.getByText('No requests yet').waitFor();
  yield { name: 'first-lines', page };
  const request = await makeTraffic(client);
  for (const [name, at, sign, act] of steps(request)) {
    // A dialog that is open, and what was typed, end with the page. Only the hash differs, which alone would load nothing.
    await page.evaluate((address) => history.replaceState(null, '', address), server.url + at);
    await page.reload();
    await page.locator('main[aria-busy="false"]').waitFor();
    // What a click is for must be there.
    if (act) await settle(page);
    await act?.(page);
    await page.getByText(sign).filter({ visible: true }).first().waitFor();
    await settle(page);
    yield { name, page };
  }
  await client.put('/_sandbox/drill', { drill: 'lost-create' });
  await client.post('/v1/pets', { name: 'Wrong', categoryId: 1 }).catch(() => undefined);
  await page.getByRole('heading', { name: /^lost-create/ }).waitFor();
  await settle(page);
  yield { name: 'running-drill', page };
}

/** Each state with a page that shows it; the page is the visitor's until the next state is asked for. */
export async function* allStates(): AsyncGenerator<State> {
  const server = await startTestServer();
  const first = await arrive({ server });
  await first.page.getByRole('button', { name: 'Make a key' }).waitFor();
  yield { name: 'welcome', page: first.page };
  yield* sandboxStates(server);
  const gone = await visit({ server, expected: EXPECTED });
  // Otherwise the sandbox ends with its last key, and the key is unknown.
  await gone.client.post('/_sandbox/keys', { shared: true });
  const [key] = (await gone.client.get('/_sandbox/keys')).json.keys;
  await gone.client.delete(`/_sandbox/keys/${key.id}`);
  await gone.page.getByRole('heading', { name: 'This key was revoked' }).waitFor();
  yield { name: 'revoked-key', page: gone.page };
  const left = await visit({ server, expected: EXPECTED });
  await left.client.get('/v1/pets');
  await left.page.locator('.exchange').filter({ hasText: 'listPets' }).waitFor();
  await server.end();
  await left.page.getByRole('alert').waitFor();
  yield { name: 'no-server', page: left.page };
}
