// Tables of what was measured, in Markdown that also lines up on a screen.
import { cpus, loadavg, totalmem } from 'node:os';

export const say = (text) => console.log(`${new Date().toISOString().slice(11, 19)}  ${text}`);

/** The middle one; of an even number, the mean of the two in the middle. */
function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * `14,630 (0.95) ±8%`: the median, how many times that of others, and half of the distance between the extremes.
 * @param {readonly number[] | undefined} values @param {readonly number[] | false | undefined} others
 */
export function cell(values, others, digits) {
  if (!values) return '–';
  const middle = median(values);
  const shown = middle.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  const ratio = others ? ` (${(middle / median(others)).toFixed(2)})` : '';
  const spread =
    values.length === 1 ? '' : ` ±${((50 * (Math.max(...values) - Math.min(...values))) / middle).toFixed(0)}%`;
  return `${shown}${ratio}${spread}`;
}

/** When and on what it was measured, without names or places. */
export function headOf(script, version) {
  const processor = cpus()[0]?.model.trim() || 'processor';
  const memory = Math.round(totalmem() / 2 ** 30);
  return (
    `${new Date().toISOString().slice(0, 10)}, with \`npm run ${script}\`. ${process.platform} ${process.arch}, ${cpus().length} × ` +
    `${processor}, ${memory} GiB, Node ${version}, load average ${loadavg()[0]?.toFixed(1)} at the end.`
  );
}

export function table(head, rows) {
  const widths = head.map((_, column) => Math.max(3, ...[head, ...rows].map((row) => row[column].length)));
  const line = (row) =>
    `| ${row.map((text, column) => (column === 0 ? text.padEnd(widths[0]) : text.padStart(widths[column]))).join(' | ')} |`;
  const rule = `| ${widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  return [line(head), rule, ...rows.map(line)].join('\n');
}
