/** What holds in each state of each view: for the eye, the ear and the keyboard, on a small screen and a wide one. */
import { mkdir } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { limit } from '../support/slow.ts';
import { violationsInBothSchemes } from './axe.ts';
import { misplacedAtEveryWidth } from './layout.ts';
import { unreached } from './reach.ts';
import { allStates } from './states.ts';

const found = {
  states: 0,
  axe: [] as string[],
  layout: [] as string[],
  palette: [] as string[],
  keyboard: [] as string[],
};

async function examine(page: Page, name: string): Promise<void> {
  const named = (each: string): string => `${name}, ${each}`;
  found.states += 1;
  found.axe.push(...(await violationsInBothSchemes(page, name)).map(named));
  found.layout.push(...(await misplacedAtEveryWidth(page)).map(named));
  found.palette.push(...(await hiddenByPalette(page, name)).map(named));
  found.keyboard.push(...(await unreached(page)).map(named));
}

/** What the palette hides: a chosen item that looks like the others, and a mark without its color. */
async function hiddenByPalette(page: Page, picture: string): Promise<readonly string[]> {
  await page.emulateMedia({ forcedColors: 'active' });
  await page.screenshot({ path: `screenshots/${picture}-forced.png` });
  const hidden = await page.evaluate(() => {
    const groundOf = (element: Element, part?: string): string => getComputedStyle(element, part).backgroundColor;
    const seen = (selector: string): Element[] =>
      [...document.querySelectorAll(selector)].filter((element) => element.checkVisibility());
    const isLikeItsPlace = (chosen: Element): boolean => groundOf(chosen) === groundOf(document.body);
    const isColorless = (mark: Element): boolean =>
      [groundOf(document.body), 'rgba(0, 0, 0, 0)'].includes(groundOf(mark, '::before'));
    return [
      ...seen('[aria-current], [aria-pressed="true"]').filter(isLikeItsPlace),
      ...seen('.broken, .soon').filter(isColorless),
    ].map(({ outerHTML }) => outerHTML.slice(0, 80));
  });
  await page.emulateMedia({ forcedColors: 'none' });
  return hidden;
}

// One walk for all tests: most of the time goes into getting to a state.
beforeAll(async () => {
  await mkdir('screenshots', { recursive: true });
  for await (const { name, page } of allStates()) {
    await page.evaluate(() => {
      for (const details of document.querySelectorAll('details')) details.open = true;
    });
    await examine(page, name);
  }
}, limit(150_000));

test('the walk goes through every view', () => {
  expect(found.states).toBeGreaterThan(12);
});

test('axe finds nothing in either color scheme, open dialogs and details included', () => {
  expect(found.axe).toEqual([]);
});

test('at every width and zoom, nothing is cut off or scrolls sideways', () => {
  expect(found.layout).toEqual([]);
});

test('in forced colors, what is chosen differs from the rest, and marks keep their colors', () => {
  expect(found.palette).toEqual([]);
});

test('every control can be reached by Tab or the arrow keys, and its focus is seen, at a zoom of 400 % too', () => {
  expect(found.keyboard).toEqual([]);
});
