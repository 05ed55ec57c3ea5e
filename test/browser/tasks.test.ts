/** Tasks that people come with, each in at most three actions from the page that they are on. */
import { describe, expect, test } from 'vitest';
import type { Client } from '../support/client.ts';
import { arriveWithFirefox, type FirefoxVisit, visitWithFirefox } from './firefox.ts';
import { arrive, visit } from './visit.ts';

/** What a person does with a page, whichever browser shows it. */
interface Hands {
  readonly click: (role: string, name: string | RegExp) => Promise<unknown>;
  readonly type: (label: string, text: string) => Promise<unknown>;
  readonly choose: (label: string, text: string) => Promise<unknown>;
  /** Waits for a text. */
  readonly see: (text: string, inside?: string) => Promise<unknown>;
}

/** With a client that goes on meanwhile. */
interface Acting extends Hands {
  readonly send: (work: (client: Client) => Promise<unknown>) => Promise<unknown>;
}

interface Task {
  readonly name: string;
  /** What the client did before. */
  readonly before?: (client: Client) => Promise<unknown>;
  /** The row that the traffic then shows. */
  readonly shows?: string;
  /** Actions at most; three, unless it is less. */
  readonly most?: number;
  readonly act: (hands: Acting) => Promise<unknown>;
}

const wrong = (client: Client) => client.post('/v1/pets', '{"name":"Bad"}');
const failed = { before: wrong, shows: 'categoryId missing' };
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
    name: 'compare it with the last good one',
    before: async (client) => {
      await client.post('/v1/pets', '{"name":"Good","categoryId":1}');
      await wrong(client);
    },
    shows: 'categoryId missing',
    act: async ({ click, see }) => {
      await click('link', ROW);
      await click('link', 'Compare');
      await see('"Good"', '.compare');
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
    name: 'see that the corrected request is accepted, in place',
    most: 2,
    ...failed,
    act: async ({ click, see }) => {
      await click('link', ROW);
      await click('button', 'Fix and send');
      await see('fixed, sent from this page', '.answer.good');
    },
  },
  {
    name: 'break the next request like one that was seen',
    before: (client) => client.post('/v1/pets', '{"name":"Good","categoryId":1}'),
    shows: 'Good',
    act: async ({ click, see, send }) => {
      await click('link', /^201 POST/);
      await click('summary', 'Fail the next one like this');
      await click('button', 'Place the fault');
      await see('The next createPet gets 503.', '.toast');
      await send((client) => client.post('/v1/pets', '{"name":"Lost","categoryId":1}'));
      await see('503', '.exchange .status');
    },
  },
  {
    name: 'see equal mistakes as one row, and open all',
    most: 1,
    before: (client) => client.getMany(30, () => '/v1/pets?limit=0'),
    shows: 'limit=0',
    act: async ({ click, see }) => {
      await see('30×', '.exchanges');
      await click('button', '30×');
      await see('limit=0', '.exchanges li:nth-child(5)');
    },
  },
  {
    name: 'find a request by its body',
    before: async (client) => {
      await wrong(client);
      await client.get('/v1/pets');
    },
    shows: 'categoryId missing',
    act: async ({ type, see }) => {
      await type('Search', 'bad');
      await see('1 of 2 requests');
    },
  },
  {
    name: 'find a request by the id that the client gave it',
    before: async (client) => {
      await client.get('/v1/pets', { 'X-Request-Id': 'checkout-7' });
      await wrong(client);
    },
    shows: 'categoryId missing',
    act: async ({ type, see }) => {
      await type('Search', 'checkout-7');
      await see('1 of 2 requests');
    },
  },
  {
    name: 'make the third list fail and see the retry',
    before: (client) => client.get('/v1/pets'),
    shows: 'listPets',
    act: async ({ click, choose, see, send }) => {
      await click('summary', /Fault on the next/);
      await choose('The', '3rd');
      await click('button', 'Place the fault');
      await see('503', '.waiting li');
      await send(async (client) => {
        for (let n = 0; n < 4; n += 1) await client.get('/v1/pets');
      });
      await see('response replaced (injected fault)', '.exchange');
      await see(' ms', '.arcs text');
    },
  },
  {
    name: 'see which requests break on the day on which the API changes',
    most: 1,
    before: (client) => client.get('/v1/pets/1'),
    shows: 'getPet is deprecated',
    act: async ({ click, see }) => {
      await click('button', /^2030-12-05/);
      await see('getPet is removed on 2030-12-05', '.exchange');
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
    name: 'see the requests of another run by its line',
    most: 1,
    before: async (client) => {
      await client.get('/v1/pets?limit=1', { 'User-Agent': 'first/1.0' });
      await client.get('/v1/pets?limit=2', { 'User-Agent': 'second/1.0' });
    },
    shows: 'limit=2',
    act: async ({ click, see }) => {
      await see('first, run 1', '.group');
      await click('button', 'first, run 1');
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
    name: 'see the requests that were not validated',
    most: 1,
    before: async (client) => {
      await client.get('/v1/pets');
      await client.send({ method: 'HEAD', path: '/v1/pets' });
    },
    shows: 'not validated',
    act: async ({ choose, see }) => {
      await choose('Show', 'not validated');
      await see('1 of 2 requests');
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

/** The same hands, which count. */
function counted({ click, type, choose, see }: Hands): Hands & { readonly count: () => number } {
  let actions = 0;
  const counting =
    <T extends unknown[]>(act: (...given: T) => Promise<unknown>) =>
    (...given: T) => {
      actions += 1;
      return act(...given);
    };
  return { click: counting(click), type: counting(type), choose: counting(choose), see, count: () => actions };
}

interface Browsing {
  readonly hands: Hands;
  readonly client: Client;
}

const inChromium = (page: Awaited<ReturnType<typeof arrive>>['page']): Hands => ({
  click: (role, name) =>
    role === 'summary'
      ? page.locator('summary', { hasText: name }).first().click()
      : page
          .getByRole(role as 'link', { name, exact: true })
          .last()
          .click(),
  type: (label, text) => page.getByLabel(label).pressSequentially(text),
  // By its role: an exact label would have to hold the texts of the options, too.
  choose: (label, text) => page.getByRole('combobox', { name: label, exact: true }).selectOption({ label: text }),
  see: (text, inside = 'body') => page.locator(inside, { hasText: text }).first().waitFor(),
});

const inFirefox = ({ page, at, see }: FirefoxVisit): Hands => ({
  click: (role, name) => {
    const selector = role === 'link' ? 'a' : role;
    return at(selector, async () => {
      const named = await page.$$eval(selector, (all) =>
        all.map((each) => (each as HTMLElement).innerText.replace(/\s+/g, ' ').trim()),
      );
      const index = named.findLastIndex((text) => (typeof name === 'string' ? text === name : name.test(text)));
      if (index < 0) throw new Error(`nothing is called ${name}`);
      await (await page.$$(selector))[index]?.click();
    });
  },
  choose: (label, text) =>
    at(`::-p-aria([name="${label}"])`, async (element) => {
      const values = await element.$$eval('option', (all) => all.map(({ value, text: shown }) => [value, shown]));
      await element.select(values.find(([, shown]) => shown === text)?.[0] as string);
    }),
  type: async (label, text) => {
    await at(`::-p-aria([name="${label}"])`, (element) => element.focus());
    await page.keyboard.type(text);
  },
  see,
});

const BROWSERS: Readonly<Record<string, { arrive: () => Promise<Hands>; visit: () => Promise<Browsing> }>> = {
  Chromium: {
    arrive: async () => inChromium((await arrive()).page),
    visit: async () => {
      const { page, client } = await visit({ permissions: ['clipboard-read', 'clipboard-write'] });
      return { hands: inChromium(page), client };
    },
  },
  Firefox: {
    arrive: async () => inFirefox(await arriveWithFirefox()),
    visit: async () => {
      const there = await visitWithFirefox();
      return { hands: inFirefox(there), client: there.client };
    },
  },
};

describe.each(Object.entries(BROWSERS))('in %s', (_, browser) => {
  test.each(TASKS)('$name', async ({ before, shows, most = 3, act }) => {
    const { hands, client } = await browser.visit();
    await before?.(client);
    if (shows) await hands.see(shows, '.exchange');
    const counting = counted(hands);
    await act({ ...counting, send: (work) => work(client) });
    expect(counting.count()).toBeLessThanOrEqual(most);
  });

  test('start, with a command that works when pasted', async () => {
    const hands = counted(await browser.arrive());
    await hands.click('button', 'Make a key');
    await hands.see("curl -H 'Authorization: Bearer petsbx_", 'pre');
    expect(hands.count()).toBe(1);
  });
});
