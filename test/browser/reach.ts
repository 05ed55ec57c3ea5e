/** What the keyboard reaches, and whether the focus is seen there. */
import type { Page } from 'playwright-core';

const SIZES = [
  { width: 1280, height: 860 },
  // At a zoom of 400 % on a screen of 1280 by 1024: little room, and what is pinned may cover the rest.
  { width: 320, height: 256 },
];

/** The controls that the keyboard does not reach, or whose focus is not seen; in a dialog, those of the dialog. */
export async function unreached(page: Page): Promise<readonly string[]> {
  const before = page.viewportSize();
  const found: string[] = [];
  for (const size of SIZES) {
    await page.setViewportSize(size);
    found.push(...(await unreachedNow(page)).map((each) => `${size.width} px wide, ${each}`));
  }
  if (before) await page.setViewportSize(before);
  return found;
}

async function unreachedNow(page: Page): Promise<readonly string[]> {
  const wanted = await page.evaluate(markControls);
  const reached = new Set<number>();
  const unseen: string[] = [];
  // A date has several stops of its own.
  for (let tabs = 0; tabs < wanted.length + 20 && reached.size < wanted.length; tabs++) {
    const { index, isSeen, html } = await page.evaluate(focused);
    if (index !== null) reached.add(Number(index));
    // The first one got it from this function, not from a key.
    if (!isSeen && tabs > 0) unseen.push(`the focus is not seen: ${html}`);
    await page.keyboard.press('Tab');
  }
  const missed = wanted.filter((_, index) => !reached.has(index));
  return [...missed.map((html) => `no key reaches ${html}`), ...unseen];
}

/** Numbers the controls that are shown, and puts the focus on the first one. */
function markControls(): string[] {
  const scope = document.querySelector('dialog[open]') ?? document;
  const all = [...scope.querySelectorAll<HTMLElement>('button, a[href], input, select, textarea, summary')];
  const shown = all.filter((element) => element.checkVisibility() && !element.matches(':disabled'));
  for (const [index, element] of shown.entries()) element.setAttribute('data-reach', String(index));
  shown[0]?.focus();
  return shown.map(({ outerHTML }) => outerHTML.slice(0, 80));
}

interface Focused {
  readonly index: string | null;
  readonly isSeen: boolean;
  readonly html: string;
}

/** Whether what has the focus is marked, and not wholly covered (WCAG 2.2, 2.4.7 and 2.4.11). */
function focused(): Focused {
  const element = document.activeElement ?? document.body;
  const box = element.getBoundingClientRect();
  // The part of it that is on the screen.
  const [left, top] = [Math.max(box.left, 0), Math.max(box.top, 0)];
  const [width, height] = [Math.min(box.right, innerWidth) - left, Math.min(box.bottom, innerHeight) - top];
  const isOnTop = (x: number, y: number): boolean => {
    const hit = document.elementFromPoint(x, y);
    return (
      hit !== null &&
      (element.contains(hit) || hit.contains(element) || hit.closest('label')?.contains(element) === true)
    );
  };
  const spots = [0.1, 0.5, 0.9].flatMap((x) =>
    [0.1, 0.5, 0.9].map((y) => [left + width * x, top + height * y] as const),
  );
  // A date marks the part of it that has the focus.
  const isMarked = element.matches('[type="datetime-local"]') || getComputedStyle(element).outlineStyle !== 'none';
  return {
    index: element.getAttribute('data-reach'),
    isSeen: element === document.body || (isMarked && spots.some(([x, y]) => isOnTop(x, y))),
    html: element.outerHTML.slice(0, 80),
  };
}
