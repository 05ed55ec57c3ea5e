/** What holds in every view: for the eye, the ear and the keyboard, on a small screen and a wide one. */
import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { arrive, type Visit, visit } from './visit.ts';

const axeFile = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const screenshots = 'screenshots';

/** Traffic of every kind, so that no view is empty. */
async function makeTraffic({ client }: Visit): Promise<string> {
  await client.get('/v1/pets', { Authorization: 'Bearer petsbx_unknown' });
  await client.get('/v1/pets');
  await client.get('/v1/pets?limit=500');
  await client.get('/v1/pets/1');
  await client.get('/v1/pets', { 'Sandbox-Fault': 'status=503' });
  await client.post('/v1/pets', { name: 'Biscuit', categoryId: 1, status: 'available' });
  const wrong = await client.post('/v1/pets', '{"name":"Doughnut","catgoryId":7,"status":"lost"}');
  await client.post('/_sandbox/snapshots', { name: 'before-checkout' });
  await client.post('/_sandbox/faults', { operation: 'createPet', when: 'after', status: 503, times: 1 });
  return String(wrong.headers['sandbox-request-id']);
}

/** Each view: its name, its address, and what is there once it is whole. */
const views = (request: string): readonly (readonly [name: string, at: string, sign: string])[] => [
  ['traffic', '/#/traffic', '.exchange'],
  ['exchange', `/#/traffic/${request}`, '.note'],
  ['timeline', `/#/traffic/${request}/timeline`, '.timeline'],
  ['compare', `/#/traffic/${request}/compare`, '.compare .line'],
  ['resend', `/#/traffic/${request}/correct`, '.edit'],
  ['specification', '/#/specification/components/schemas/NewPet/required', '.line.found'],
  ['pets', '/#/pets', 'td.name'],
  ['controls', '/#/controls', '.clock-face'],
  ['issues', '/#/issues', '.issue'],
];

async function show(page: Page, base: string, at: string, sign: string): Promise<void> {
  await page.goto(base + at);
  await page.locator(sign).first().waitFor();
  // Fonts, live signs and what else loads by itself.
  await page.waitForTimeout(400);
}

/** Every finding of axe, whatever its level. It is read into the page as text: the policy lets no foreign script in. */
async function violationsIn(page: Page): Promise<string[]> {
  await page.evaluate(await readFile(axeFile, 'utf8'));
  return page.evaluate(async () => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') };
    const { violations } = await axe.run();
    return violations.map(({ id, impact, nodes }) => `${id} (${impact}): ${nodes.map(({ html }) => html).join(' | ')}`);
  });
}

describe.each(['light', 'dark'] as const)('in %s colours', (colorScheme) => {
  test('axe finds nothing in any view, open details included', async () => {
    const first = await arrive({ colorScheme });
    await first.page.getByRole('button', { name: 'Make a key' }).waitFor();
    await mkdir(screenshots, { recursive: true });
    await first.page.screenshot({ path: `${screenshots}/welcome-${colorScheme}.png` });
    expect(await violationsIn(first.page)).toEqual([]);
    const there = await visit({ colorScheme, viewport: { width: 1200, height: 720 } });
    const request = await makeTraffic(there);
    for (const [name, at, sign] of views(request)) {
      await show(there.page, there.server.url, at, sign);
      await there.page.screenshot({ path: `${screenshots}/${name}-${colorScheme}.png` });
      for (const summary of await there.page.locator('summary').all()) await summary.click();
      expect(await violationsIn(there.page), name).toEqual([]);
    }
  });
});

test.each(['light', 'dark'] as const)('axe finds nothing in the reference, in %s colours', async (colorScheme) => {
  const { page } = await visit({ at: '/_sandbox/docs', colorScheme, viewport: { width: 1280, height: 860 } });
  for (const [document, operation] of [
    ['Interface', 'createPet'],
    ['Interface', 'listPets'],
    ['Sandbox controls', 'createFault'],
  ] as const) {
    await page.getByRole('link', { name: document, exact: true }).click();
    const block = page.locator(`[id$="-${operation}"]`);
    await block.locator('.opblock-summary-control').click();
    await block.locator('.responses-wrapper').waitFor();
    await page.waitForTimeout(400);
    await page.screenshot({ path: `${screenshots}/reference-${operation}-${colorScheme}.png` });
    expect(await violationsIn(page), operation).toEqual([]);
  }
});

// 320 pixels are 1280 at a zoom of 400 %.
test.each([320, 1920])(
  'at %i pixels nothing is cut off or scrolls sideways, and bar and content share their edges',
  async (width) => {
    const there = await visit({ viewport: { width, height: 800 } });
    const request = await makeTraffic(there);
    const { page } = there;
    for (const [name, at, sign] of views(request)) {
      await show(page, there.server.url, at, name === 'exchange' ? '.note' : sign);
      const wide = await page.evaluate(() => ({
        page: document.documentElement.scrollWidth,
        edges: new Set(
          ['.brand', '.strip > *', 'main > *'].map(
            (part) => document.querySelector(part)?.getBoundingClientRect().left,
          ),
        ).size,
        outside: [...document.querySelectorAll('main button, main input, main select, main a, header a, header button')]
          .filter((element) => element.getClientRects().length > 0 && !element.classList.contains('skip'))
          .filter((element) => {
            const { left, right } = element.getBoundingClientRect();
            return left < -0.5 || right > innerWidth + 0.5;
          })
          .map((element) => element.outerHTML.slice(0, 120)),
      }));
      await page.screenshot({ path: `${screenshots}/${name}-${width}.png`, fullPage: true });
      expect({ name, ...wide }).toEqual({ name, page: width, edges: 1, outside: [] });
    }
  },
);

test('the keyboard alone gets from the address bar into an exchange and back, and its focus is seen', async () => {
  const there = await visit();
  await makeTraffic(there);
  const { page } = there;
  await page.locator('.exchange').nth(5).waitFor();
  const focused = () =>
    page.evaluate(() => ({ text: document.activeElement?.textContent ?? '', tag: document.activeElement?.tagName }));
  await page.keyboard.press('Tab');
  expect((await focused()).text).toContain('Skip to the view');
  await page.keyboard.press('Enter');
  for (let tabs = 0; tabs < 10 && !((await focused()).tag === 'A'); tabs++) await page.keyboard.press('Tab');
  const outline = await page.evaluate(() => getComputedStyle(document.activeElement as Element).outlineStyle);
  expect(outline).toBe('solid');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await page.locator('.note').first().waitFor();
  await expect.poll(async () => (await focused()).tag).toBe('H2');
  await page.keyboard.press('Tab');
  expect((await focused()).text).toContain('Request');
});

test('every control can be reached by Tab, in each view', async () => {
  const there = await visit();
  const request = await makeTraffic(there);
  const { page } = there;
  for (const [name, at, sign] of views(request)) {
    await show(page, there.server.url, at, sign);
    for (const summary of await page.locator('summary').all()) await summary.click();
    // Where Tab begins anew: at the top.
    await page.evaluate(() => document.querySelector<HTMLElement>('.skip')?.focus());
    await page.keyboard.press('Shift+Tab');
    const wanted = await page.evaluate(() => {
      const all = [...document.querySelectorAll('button, a[href], input, select, summary')];
      const seen = all.filter((element) => element.checkVisibility());
      for (const [index, element] of seen.entries()) element.setAttribute('data-reach', String(index));
      return seen.length;
    });
    const reached = new Set<string>();
    // A date has several stops of its own.
    for (let tabs = 0; tabs < wanted + 20 && reached.size < wanted; tabs++) {
      await page.keyboard.press('Tab');
      const here = await page.evaluate(() => document.activeElement?.getAttribute('data-reach') ?? null);
      if (here !== null) reached.add(here);
    }
    expect({ name, reached: reached.size }).toEqual({ name, reached: wanted });
  }
});

test('nothing moves for those who want less motion', async () => {
  const still = await visit({ reducedMotion: 'reduce' });
  const moving = await visit({ reducedMotion: 'no-preference' });
  const animations = [];
  for (const { page } of [still, moving]) {
    await page.getByRole('button', { name: 'Copy curl line' }).click();
    animations.push(await page.locator('.toast').evaluate((toast) => getComputedStyle(toast).animationName));
  }
  expect(animations).toEqual(['none', 'rise']);
});

test('a thousand exchanges scroll without jank, and what arrives meanwhile moves nothing', async () => {
  const there = await visit();
  const { page, client } = there;
  for (let batch = 0; batch < 20; batch++) {
    await Promise.all(Array.from({ length: 50 }, (_, n) => client.get(`/v1/pets?limit=${(n % 100) + 1}`)));
  }
  await page.locator('.count', { hasText: /^1,000 requests$/ }).waitFor();
  await expect.poll(() => page.locator('.exchange').count()).toBeLessThan(50);
  const list = page.locator('.exchanges');
  const { still, scrolling } = await list.evaluate(async (element) => {
    const medianFrame = async (before: (frame: number) => void) => {
      const gaps: number[] = [];
      for (let frame = 0; frame * 600 < element.scrollHeight; frame++) {
        const start = performance.now();
        before(frame);
        await new Promise(requestAnimationFrame);
        gaps.push(performance.now() - start);
      }
      gaps.sort((a, b) => a - b);
      return gaps[Math.floor(gaps.length / 2)] as number;
    };
    return {
      still: await medianFrame(() => undefined),
      scrolling: await medianFrame((frame) => element.scrollTo(0, frame * 600)),
    };
  });
  // Beside frames in which nothing happens, on the same machine: it may be slow, or busy with more than this.
  expect(scrolling / still).toBeLessThan(3);
  await list.evaluate((element) => element.scrollTo(0, 30_000));
  await page.waitForTimeout(200);
  const topRow = () =>
    list.evaluate((element) => {
      const edge = element.getBoundingClientRect().top;
      const row = [...element.querySelectorAll('a')].find((each) => each.getBoundingClientRect().bottom > edge + 5);
      return row?.getAttribute('href');
    });
  const before = await topRow();
  await client.get('/v1/pets?limit=3');
  await page.waitForTimeout(800);
  expect(await topRow()).toBe(before);
  await page.locator('.count', { hasText: '1,001 requests, the last 1,000 kept' }).waitFor();
});
