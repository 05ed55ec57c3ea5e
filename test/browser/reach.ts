/** What the Tab key reaches. */
import type { Page } from 'playwright-core';

/** The controls that Tab does not reach; in a dialog, those of the dialog. */
export async function unreached(page: Page): Promise<readonly string[]> {
  const wanted = await page.evaluate(() => {
    const scope = document.querySelector('dialog[open]') ?? document;
    const all = [...scope.querySelectorAll<HTMLElement>('button, a[href], input, select, textarea, summary')];
    const seen = all.filter((element) => element.checkVisibility() && !element.matches(':disabled'));
    for (const [index, element] of seen.entries()) element.setAttribute('data-reach', String(index));
    // Where Tab begins anew: at the first one.
    seen[0]?.focus();
    return seen.map(({ outerHTML }) => outerHTML.slice(0, 80));
  });
  const reached = new Set<number>();
  // A date has several stops of its own.
  for (let tabs = 0; tabs < wanted.length + 20 && reached.size < wanted.length; tabs++) {
    const here = await page.evaluate(() => document.activeElement?.getAttribute('data-reach') ?? null);
    if (here !== null) reached.add(Number(here));
    await page.keyboard.press('Tab');
  }
  return wanted.filter((_, index) => !reached.has(index));
}
