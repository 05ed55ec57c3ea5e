/** The difference of two texts, line by line. */

export interface DiffLine<T> {
  readonly kind: 'same' | 'before' | 'after';
  readonly line: T;
}

/** Lines of the differing parts beyond which they are not compared one by one. */
const MAX_LINES = 1_200;

/** @param textOf what makes two lines equal */
export function differenceOf<T>(before: readonly T[], after: readonly T[], textOf: (line: T) => string): DiffLine<T>[] {
  const [old, now] = [before.map(textOf), after.map(textOf)];
  const most = Math.min(old.length, now.length);
  let head = 0;
  while (head < most && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < most - head && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  const marked = (lines: readonly T[], kind: DiffLine<T>['kind']): DiffLine<T>[] =>
    lines.map((line) => ({ kind, line }));
  const [gone, fresh] = [before.slice(head, before.length - tail), after.slice(head, after.length - tail)];
  const middle =
    gone.length > MAX_LINES || fresh.length > MAX_LINES
      ? [...marked(gone, 'before'), ...marked(fresh, 'after')]
      : byLongestCommon(gone, fresh, textOf);
  return [...marked(after.slice(0, head), 'same'), ...middle, ...marked(after.slice(after.length - tail), 'same')];
}

/** The longest common subsequence stays; the textbook table. */
function byLongestCommon<T>(before: readonly T[], after: readonly T[], textOf: (line: T) => string): DiffLine<T>[] {
  const [old, now] = [before.map(textOf), after.map(textOf)];
  const width = now.length + 1;
  const lengths = new Uint16Array((old.length + 1) * width);
  const at = (row: number, column: number): number => lengths[row * width + column] as number;
  for (let row = old.length - 1; row >= 0; row -= 1) {
    for (let column = now.length - 1; column >= 0; column -= 1) {
      lengths[row * width + column] =
        old[row] === now[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const lines: DiffLine<T>[] = [];
  let [row, column] = [0, 0];
  while (row < old.length || column < now.length) {
    if (row < old.length && column < now.length && old[row] === now[column]) {
      lines.push({ kind: 'same', line: after[column] as T });
      row += 1;
      column += 1;
    } else if (row < old.length && (column === now.length || at(row + 1, column) >= at(row, column + 1))) {
      lines.push({ kind: 'before', line: before[row] as T });
      row += 1;
    } else {
      lines.push({ kind: 'after', line: after[column] as T });
      column += 1;
    }
  }
  return lines;
}
