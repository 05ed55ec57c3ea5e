/** axe, in the page. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { settle } from './states.ts';

const axeFile = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const SCHEMES = ['light', 'dark'] as const;

/** Every finding of axe, whatever its level. It is read into the page as text: the policy lets no foreign script in. */
async function violationsIn(page: Page): Promise<readonly string[]> {
  await page.evaluate(await readFile(axeFile, 'utf8'));
  return page.evaluate(async () => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') };
    const { violations } = await axe.run();
    return violations.map(({ id, impact, nodes }) => `${id} (${impact}): ${nodes.map(({ html }) => html).join(' | ')}`);
  });
}

/** In both colour schemes, with a picture of each. */
export async function violationsInBothSchemes(page: Page, picture: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme });
    await settle(page);
    await page.screenshot({ path: `screenshots/${picture}-${colorScheme}.png` });
    found.push(...(await violationsIn(page)).map((each) => `${colorScheme}: ${each}`));
  }
  return found;
}
