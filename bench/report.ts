/** The tables: on the screen, and in `bench/RESULTS.md`. */
import { writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import type { Contender } from './contenders.ts';
import type { Figure, Measurements } from './measurements.ts';
import type { Options } from './options.ts';

export interface Reported {
  readonly options: Options;
  readonly measured: Measurements;
  readonly minutes: number;
}

/** What all others are compared with. */
const YARDSTICK = 'express';

/** Prints the tables; writes them to `bench/RESULTS.md` where the options say so. */
export function report(reported: Reported): void {
  const text = asMarkdown(reported);
  console.log(`\n${text}`);
  if (reported.options.write) writeFileSync(new URL('RESULTS.md', import.meta.url), text);
}

function asMarkdown({ options, measured, minutes }: Reported): string {
  const running = options.contenders.filter(({ name }) => !measured.failed(name));
  const absent = options.contenders.filter(({ name }) => measured.failed(name));
  const { rounds, seconds, sustained, generator } = options;
  const parts = [
    '# What was measured',
    `${new Date().toISOString().slice(0, 10)}, with \`npm run bench\`, ${minutes.toFixed(0)} minutes. ${machine()}. ` +
      `Load from ${generator.name} on the same machine. Medians of ${rounds} rounds, everyone in turn within each; ` +
      `${seconds} s a load${sustained > 0 ? `, ${sustained} s where it says sustained (32 connections)` : ''}. ` +
      `In brackets: how many times ${YARDSTICK}'s.`,
    list([
      ...running.map(({ name, about }) => `**${name}**: ${about}`),
      ...absent.map(({ name, about }) => `**${name}** (${about}) took no part: ${measured.failed(name)}`),
    ]),
    list(options.loads.map(({ name, about }) => `*${name}*: ${about}`)),
    '## Requests a second',
    loadTable(options, measured, running, ({ perSecond }) => perSecond, 0),
    '## p50 in milliseconds',
    loadTable(options, measured, running, ({ p50 }) => p50 / 1000, 2),
    '## p99 in milliseconds',
    loadTable(options, measured, running, ({ p99 }) => p99 / 1000, 2),
    '## Start and memory',
    figureTable(measured, running),
    '## The referee',
    list(
      measured.judged.map(
        ({ name, health }) =>
          `${name}: ${health.sent} requests answered, ${health.judged} exchanges judged, ${health.unjudged} unjudged, ` +
          `${health.disagreements} disagreements, ${health.brokenAnswers} broken answers`,
      ),
    ),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function loadTable(
  { loads, connections, sustained }: Options,
  measured: Measurements,
  running: readonly Contender[],
  value: (result: { perSecond: number; p50: number; p99: number }) => number,
  digits: number,
): string {
  const rows = loads.flatMap(({ name }) => [
    ...connections.map((each) => ({ load: `${name}, ${each}`, title: `${name}, ${each} conn.` })),
    ...(sustained > 0 ? [{ load: `${name}, sustained`, title: `${name}, sustained` }] : []),
  ]);
  const cell = (name: string, load: string): string => {
    const result = measured.medianLoad(name, load);
    if (!result) return '–';
    const yardstick = measured.medianLoad(YARDSTICK, load);
    const failures = result.failures > 0 ? ` **${result.failures} failed**` : '';
    return `${withRatio(name, value(result), yardstick && value(yardstick), digits)}${failures}`;
  };
  return table(
    ['', ...running.map(({ name }) => name)],
    rows.map(({ load, title }) => [title, ...running.map(({ name }) => cell(name, load))]),
  );
}

function figureTable(measured: Measurements, running: readonly Contender[]): string {
  const rows: readonly [Figure, string][] = [
    ['start', 'spawn to first 200, ms'],
    ['idle', 'memory idle, MiB'],
    ['after', 'memory after the loads, MiB'],
    ['peak', 'memory at most, MiB'],
  ];
  return table(
    ['', ...running.map(({ name }) => name)],
    rows.map(([figure, title]) => [
      title,
      ...running.map(({ name }) => {
        const value = measured.median(name, figure);
        return value === undefined ? '–' : withRatio(name, value, measured.median(YARDSTICK, figure), 0);
      }),
    ]),
  );
}

function withRatio(name: string, value: number, yardstick: number | undefined, digits: number): string {
  const shown = value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return name === YARDSTICK || !yardstick ? shown : `${shown} (${(value / yardstick).toFixed(2)})`;
}

/** Without names or places: what the figures depend on. */
export function machine(): string {
  const [first] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${process.platform} ${process.arch}, ${cpus().length} × ${first?.model.trim() || 'processor'}, ${memory} GiB, Node ${process.version}`;
}

export const list = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join('\n');

/** A Markdown table whose columns also line up on a screen. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => (row[column] ?? '').length), 3));
  const line = (row: readonly string[]) =>
    `| ${row.map((text, column) => (column === 0 ? text.padEnd(widths[0] ?? 0) : text.padStart(widths[column] ?? 0))).join(' | ')} |`;
  const rule = `| ${widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  return [line(head), rule, ...rows.map(line)].join('\n');
}
