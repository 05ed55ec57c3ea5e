/** axe, in the page. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { settle } from './states.ts';

const axeSource = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Every finding of axe, whatever its level, on a wide light page; what may differ on a narrow dark one; a picture of each. */
export async function violationsInBothSchemes(page: Page, picture: string): Promise<readonly string[]> {
  const found: string[] = [];
  const before = page.viewportSize();
  // It is read into the page as text: the policy lets no foreign script in.
  await page.evaluate(await axeSource);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    if (colorScheme === 'dark') await page.setViewportSize({ width: 390, height: 844 });
    await settle(page);
    await page.screenshot({ path: `screenshots/${picture}-${colorScheme}.png` });
    const violations = await page.evaluate(async (isDark) => {
      const { axe } = window as unknown as { axe: typeof import('axe-core') };
      const only = ['color-contrast', 'scrollable-region-focusable'];
      return (await axe.run(document, isDark ? { runOnly: only } : {})).violations.map(
        ({ id, impact, nodes }) => `${id} (${impact}): ${nodes.map(({ html }) => html).join(' | ')}`,
      );
    }, colorScheme === 'dark');
    found.push(...violations.map((each) => `${colorScheme}: ${each}`));
  }
  if (before) await page.setViewportSize(before);
  return found;
}
