/**
 * Tasks that people come with, each in at most three actions from the page that they are on: in Firefox, since the other files
 * do the same and more in Chromium. And what another engine may do differently.
 */
import { expect, test } from 'vitest';
import type { Client } from '../support/client.ts';
import { startTestServer } from '../support/server.ts';
import { arriveWithFirefox, type FirefoxVisit, visitWithFirefox } from './firefox.ts';

/** What a person does with a page. */
interface Hands {
  readonly click: (role: string, name: string | RegExp) => Promise<unknown>;
  readonly type: (label: string, text: string) => Promise<unknown>;
  readonly choose: (label: string, text: string) => Promise<unknown>;
  /** Waits for a text. */
  readonly see: (text: string, inside?: string) => Promise<unknown>;
  /** What the client does meanwhile. */
  readonly send: <T>(work: (client: Client) => Promise<T>) => Promise<T>;
}

interface Task {
  readonly name: string;
  /** What the client did before. */
  readonly before?: (client: Client) => Promise<unknown>;
  /** The row that the traffic then shows. */
  readonly shows?: string;
  /** Actions at most; three, unless it is less. */
  readonly most?: number;
  readonly act: (hands: Hands) => Promise<unknown>;
}

const wrong = (client: Client) => client.post('/v1/pets', '{"name":"Bad"}');
const failed = { before: wrong, shows: 'categoryId is required' };
/** The name of a row: what came back and what was sent. */
const ROW = /^400 POST \/pets “Bad”/;

const TASKS: readonly Task[] = [
  {
    name: 'find out why a request failed',
    most: 2,
    ...failed,
    act: async ({ click, see }) => {
      await click('link', ROW);
      await see('an integer, required', '.note');
    },
  },
  {
    name: 'send it corrected',
    most: 2,
    ...failed,
    act: async ({ click, see }) => {
      await click('link', ROW);
      await click('button', 'Fix and send');
      await see('201', '.answer');
    },
  },
  {
    name: 'give a colleague a link to it',
    ...failed,
    act: async ({ click, see }) => {
      await click('link', ROW);
      await click('summary', 'Copy as…');
      await click('button', 'link for a colleague');
      await see('Copied: link.');
    },
  },
  {
    name: 'break the next request like one that was seen',
    before: (client) => client.post('/v1/pets', '{"name":"Good","categoryId":1}'),
    shows: 'Good',
    act: async ({ click, see, send }) => {
      await click('link', /^201 POST/);
      await click('link', 'Fail the next one like this');
      await click('button', 'Place the fault');
      await see('The next createPet gets 503.', '.toast');
      expect((await send((client) => client.post('/v1/pets', '{"name":"Lost","categoryId":1}'))).status).toBe(503);
    },
  },
  {
    name: 'send it corrected from the list of mistakes',
    most: 1,
    before: (client) => client.getMany(30, () => '/v1/pets?limit=0'),
    shows: 'limit=0',
    act: async ({ click, see }) => {
      await see('30×', '.mistake');
      await click('button', 'Fix and send');
      await see('fixed, sent from this page', '.answer');
    },
  },
  {
    name: 'find a request by its body',
    before: async (client) => {
      await wrong(client);
      await client.get('/v1/pets');
    },
    shows: 'categoryId is required',
    act: async ({ type, see }) => {
      await type('Search all runs', 'bad');
      await see('categoryId is required', '.exchanges li:first-child');
    },
  },
  {
    name: 'see the requests of one run',
    most: 1,
    before: async (client) => {
      await client.get('/v1/pets?limit=1', { 'User-Agent': 'first/1.0' });
      await client.get('/v1/pets?limit=2', { 'User-Agent': 'second/1.0' });
    },
    shows: 'limit=2',
    act: async ({ choose, see }) => {
      await choose('Run', 'first, run 1 (pass)');
      await see('limit=1', '.exchange');
    },
  },
  {
    name: 'send a first request from an empty page',
    most: 1,
    act: async ({ click, see }) => {
      await click('button', 'Send a good request');
      await see('/v1/pets?limit=5', 'h2');
    },
  },
  {
    name: 'start a drill',
    ...failed,
    act: async ({ click, see }) => {
      await click('link', 'Drills');
      await click('button', 'Start lost-create');
      await click('button', 'Start lost-create');
      await see('Waiting for your client');
    },
  },
  {
    name: 'see what the last result of a drill says to fix',
    most: 2,
    before: async (client) => {
      await client.put('/_sandbox/drill', { drill: 'outage' });
      await client.get('/v1/pets');
      await client.post('/_sandbox/drill/outcome', { success: true });
      await client.delete('/_sandbox/drill');
    },
    shows: 'response replaced (injected fault)',
    act: async ({ click, see }) => {
      await click('link', 'Drills');
      await click('link', 'outage');
      await see('Fix:', '.running');
    },
  },
  {
    name: 'find a pet',
    act: async ({ click, type, see }) => {
      await click('link', 'Pets');
      await type('Find by id', '2');
      await see('Bigotes', 'td');
    },
  },
];

/** Clicks the last of these that has the name: its whole text, or a part of it that a pattern finds. */
const click = ({ page, at }: FirefoxVisit, role: string, name: string | RegExp) => {
  const selector = role === 'link' ? 'a' : role;
  return at(selector, async () => {
    const named = await page.$$eval(selector, (all) =>
      all.map((each) => (each as HTMLElement).innerText.replace(/\s+/g, ' ').trim()),
    );
    const index = named.findLastIndex((text) => (typeof name === 'string' ? text === name : name.test(text)));
    if (index < 0) throw new Error(`nothing is called ${name}`);
    await (await page.$$(selector))[index]?.click();
  });
};

test.each(TASKS)('$name', async ({ before, shows, most = 3, act }) => {
  const there = await visitWithFirefox();
  const { page, at, see, client } = there;
  await before?.(client);
  if (shows) await see(shows, '.exchange');
  let actions = 0;
  await act({
    see,
    send: (work) => work(client),
    click: (role, name) => {
      actions += 1;
      return click(there, role, name);
    },
    choose: (label, text) => {
      actions += 1;
      return at(`::-p-aria([name="${label}"])`, async (element) => {
        const values = await element.$$eval('option', (all) => all.map(({ value, text: shown }) => [value, shown]));
        await element.select(values.find(([, shown]) => shown === text)?.[0] as string);
      });
    },
    type: async (label, text) => {
      actions += 1;
      await at(`::-p-aria([name="${label}"])`, (element) => element.focus());
      await page.keyboard.type(text);
    },
  });
  expect(actions).toBeLessThanOrEqual(most);
});

test('start, with a command that works when pasted', async () => {
  const there = await arriveWithFirefox();
  await click(there, 'button', 'Make a key');
  await there.see("curl -H 'Authorization: Bearer petsbx_", 'pre');
});

test('the keyboard alone moves through the rows, opens one, closes it and lists the keys', async () => {
  const { page, see, client } = await visitWithFirefox();
  await client.get('/v1/pets?limit=500');
  await client.get('/v1/pets/1');
  await see('limit is at most', '.exchange');
  await expect.poll(() => page.$$eval('.exchange', (all) => all.length)).toBe(2);
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
  await page.keyboard.press('Tab');
  expect(await focused()).toBe('Skip to the view');
  await page.keyboard.press('j');
  await expect.poll(focused).toContain('/v1/pets/1');
  await page.keyboard.press('j');
  await see('an integer from 1 to 100', '.note');
  await page.keyboard.press('Escape');
  await see('What to change', 'h2');
  await page.keyboard.press('?');
  await expect.poll(() => page.$$eval('.keyboard[open]', (all) => all.length)).toBe(1);
  await page.keyboard.press('?');
  await expect.poll(() => page.$$eval('.keyboard[open]', (all) => all.length)).toBe(0);
});

test('a revoked key and a server that ends are one message each', async () => {
  const gone = await visitWithFirefox();
  // Otherwise the sandbox ends with its last key, and the key is unknown.
  await gone.client.post('/_sandbox/keys', { shared: true });
  const keys = (await gone.client.get('/_sandbox/keys')).json.keys;
  await gone.client.delete(`/_sandbox/keys/${keys[0].id}`);
  await gone.see('The key was revoked', '[role=alert]');
  await expect.poll(() => gone.page.$$eval('[role=alert]', (all) => all.length)).toBe(1);

  const left = await visitWithFirefox(await startTestServer());
  await left.server.end();
  await left.see("The server doesn't respond", '[role=alert]');
  await left.clickOn('link', 'Setup');
  await left.see('Setup', 'h1');
  await expect.poll(() => left.page.$$eval('[role=alert]', (all) => all.length)).toBe(1);
});
