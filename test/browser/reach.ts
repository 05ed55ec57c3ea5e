/** What the Tab key reaches, and whether the focus is seen there. */
import type { Page } from 'playwright-core';

/** The control API that Tab does not reach, or whose focus is not seen; in a dialog, those of the dialog. */
export async function unreached(page: Page): Promise<readonly string[]> {
  const before = page.viewportSize();
  // At a zoom of 400 % on a screen of 1280 by 1024: little room, and what is pinned may cover the rest.
  await page.setViewportSize({ width: 320, height: 256 });
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
  if (before) await page.setViewportSize(before);
  const missed = wanted.filter((_, index) => !reached.has(index));
  return [...missed.map((html) => `Tab does not reach ${html}`), ...unseen];
}

/** Numbers the control API that are shown, and puts the focus on the first one. */
function markControls(): string[] {
  const scope = document.querySelector('dialog[open]') ?? document;
  const all = [...scope.querySelectorAll<HTMLElement>('button, a[href], input, select, textarea, summary')];
  const isShown = (element: HTMLElement): boolean => element.checkVisibility() && !element.matches(':disabled');
  all.find(isShown)?.focus();
  // After that, because a menu closes when the focus leaves it.
  const seen = all.filter(isShown);
  for (const [index, element] of seen.entries()) element.setAttribute('data-reach', String(index));
  return seen.map(({ outerHTML }) => outerHTML.slice(0, 80));
}

/** Whether what has the focus is marked, and not wholly covered (WCAG 2.2, 2.4.7 and 2.4.11). */
function focused(): { index: string | null; isSeen: boolean; html: string } {
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
