/** axe, in the page. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { settle } from './states.ts';

const axeSource = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const SCHEMES = ['light', 'dark'] as const;

/** Every finding of axe, whatever its level; of one rule, if it is named. */
async function violationsIn(page: Page, rule?: string): Promise<readonly string[]> {
  return page.evaluate(async (only) => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') };
    const { violations } = await axe.run(document, only === undefined ? {} : { runOnly: [only] });
    return violations.map(({ id, impact, nodes }) => `${id} (${impact}): ${nodes.map(({ html }) => html).join(' | ')}`);
  }, rule);
}

/** In both color schemes, with a picture of each. Only the colors differ between the two. */
export async function violationsInBothSchemes(page: Page, picture: string): Promise<readonly string[]> {
  const found: string[] = [];
  // It is read into the page as text: the policy lets no foreign script in.
  await page.evaluate(await axeSource);
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme });
    await settle(page);
    await page.screenshot({ path: `screenshots/${picture}-${colorScheme}.png` });
    found.push(
      ...(await violationsIn(page, colorScheme === 'dark' ? 'color-contrast' : undefined)).map(
        (each) => `${colorScheme}: ${each}`,
      ),
    );
  }
  return found;
}

/** What scrolls on a small screen and no key can scroll. @param page with axe in it */
export async function unscrollableWhereNarrow(page: Page): Promise<readonly string[]> {
  const before = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 844 });
  const found = await violationsIn(page, 'scrollable-region-focusable');
  if (before) await page.setViewportSize(before);
  return found.map((each) => `390 px wide: ${each}`);
}
