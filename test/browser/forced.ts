/** The page in the reader's own palette: forced colors. */
import type { Page } from 'playwright-core';

/** What the palette hides: a chosen item that looks like the others, and a mark without its color. */
export async function hiddenByPalette(page: Page, picture: string): Promise<readonly string[]> {
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
      ...seen('[aria-current], [aria-pressed="true"], [aria-checked="true"] .knob').filter(isLikeItsPlace),
      ...seen('.broken, .soon').filter(isColorless),
    ].map(({ outerHTML }) => outerHTML.slice(0, 80));
  });
  await page.emulateMedia({ forcedColors: 'none' });
  return hidden;
}
