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

/** Tab goes through all; in a list with one stop for Tab, the arrow keys go on from there. */
async function unreachedNow(page: Page): Promise<readonly string[]> {
  const wanted = await page.evaluate(markControls);
  const reached = new Set<number>();
  const unseen: string[] = [];
  const arrive = async (isByKey: boolean): Promise<Focused> => {
    const there = await page.evaluate(focused);
    if (there.index !== null) reached.add(Number(there.index));
    if (!there.isSeen && isByKey) unseen.push(`the focus is not seen: ${there.html}`);
    return there;
  };
  // A date has several stops of its own.
  for (let tabs = 0; tabs < wanted.length + 20 && reached.size < wanted.length; tabs++) {
    // The first one got it from this function, not from a key.
    const { isInList } = await arrive(tabs > 0);
    if (isInList) {
      await page.keyboard.press('Home');
      let { index: last } = await arrive(true);
      for (let moves = 0; moves < wanted.length; moves++) {
        await page.keyboard.press('ArrowRight');
        const { index } = await arrive(true);
        if (index === last) break;
        last = index;
      }
    }
    await page.keyboard.press('Tab');
  }
  const missed = wanted.filter((_, index) => !reached.has(index));
  return [...missed.map((html) => `no key reaches ${html}`), ...unseen];
}

/** Numbers the controls that are shown, and puts the focus on the first one. */
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

interface Focused {
  readonly index: string | null;
  readonly isSeen: boolean;
  /** Others of its list are no stops for Tab. */
  readonly isInList: boolean;
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
    isInList: element.closest('ol, ul')?.querySelector('[data-reach][tabindex="-1"]') != null,
    html: element.outerHTML.slice(0, 80),
  };
}
