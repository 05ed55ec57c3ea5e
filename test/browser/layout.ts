/** Where things are on the page: functions that run in the browser. */
import type { Page } from 'playwright-core';

/** Of 1280 pixels, 640 are a zoom of 200 %, and 320 one of 400 % (WCAG 2.2, 1.4.10). */
const WIDTHS = [1920, 1440, 1280, 1024, 768, 640, 390, 320];

/** What is wrong with the place of anything, at any width. */
export async function misplacedAtEveryWidth(page: Page): Promise<readonly string[]> {
  const before = page.viewportSize();
  const wrong: string[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    for (const find of [wrongFrame, cutOff])
      wrong.push(...(await page.evaluate(find)).map((each) => `${width}: ${each}`));
  }
  if (before) await page.setViewportSize(before);
  return wrong;
}

/** What is wrong with the page as a whole. */
function wrongFrame(): string[] {
  const tops = [...document.querySelectorAll('.bar nav a')].map((each) => Math.round(each.getBoundingClientRect().top));
  return [
    ...(document.documentElement.scrollWidth > innerWidth ? ['the page scrolls sideways'] : []),
    // On the narrowest screens it may have two lines.
    ...(innerWidth >= 390 && new Set(tops).size > 1 ? ['the navigation wraps'] : []),
  ];
}

/**
 * What is outside of the page, or is not shown as a whole. A row that ends in an ellipsis opens to the whole text, and an
 * input scrolls what was typed.
 */
function cutOff(): string[] {
  const scrolls = (element: Element | null): boolean =>
    element !== null &&
    (['auto', 'scroll'].includes(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
  const isOutside = (element: Element): boolean => {
    const { left, right } = element.getBoundingClientRect();
    return (left < -0.5 || right > innerWidth + 0.5) && !scrolls(element.parentElement);
  };
  const isCut = (element: Element): boolean => {
    const { overflowX, textOverflow } = getComputedStyle(element);
    const opens = textOverflow === 'ellipsis' && element.closest('a, [title], td') !== null;
    return ['hidden', 'clip'].includes(overflowX) && element.scrollWidth > element.clientWidth + 1 && !opens;
  };
  return [...document.querySelectorAll('body *')]
    .filter((each) => each.checkVisibility() && !each.closest('.unseen, .skip, svg, input'))
    .filter((each) => isOutside(each) || isCut(each))
    .map((each) => `outside or cut off: ${each.outerHTML.slice(0, 80)}`);
}
