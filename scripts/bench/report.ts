/** The tables: on the screen, and in `scripts/bench/RESULTS.md`. */
import { writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import type { Contender } from './contenders.ts';
import type { Figure, Measurements, Medians } from './measurements.ts';
import type { Options } from './options.ts';

export interface Reported {
  readonly options: Options;
  readonly measured: Measurements;
  readonly minutes: number;
}

/** What all others are compared with. */
const YARDSTICK = 'express';

/** Prints the tables; writes them to `scripts/bench/RESULTS.md` where the options say so. */
export function report(reported: Reported): void {
  const text = asMarkdown(reported);
  console.log(`\n${text}`);
  if (reported.options.write) writeFileSync(new URL('RESULTS.md', import.meta.url), text);
}

function asMarkdown({ options, measured, minutes }: Reported): string {
  const running = options.contenders.filter(({ name }) => !measured.failed(name));
  const absent = options.contenders.filter(({ name }) => measured.failed(name));
  const { rounds, seconds, generator, openSeconds } = options;
  const tables = new Tables(options, measured, running);
  const parts = [
    '# What was measured',
    `${new Date().toISOString().slice(0, 10)}, with \`npm run bench\`, ${minutes.toFixed(0)} minutes. ${machine()}. ` +
      `Load from ${generator.name} on the same machine. Medians of ${rounds} rounds, everyone in turn within each, ` +
      `${seconds} s a load. In brackets: how many times ${YARDSTICK}'s.`,
    list([
      ...running.map(({ name, about }) => `**${name}**: ${about}`),
      ...absent.map(({ name, about }) => `**${name}** (${about}) took no part: ${measured.failed(name)}`),
    ]),
    list(options.loads.map(({ name, about }) => `*${name}*: ${about}`)),
    '## Requests a second',
    tables.ofLoads(({ perSecond }) => perSecond, 0),
    '## Processor time of the main thread, µs a request',
    tables.ofLoads(({ cpuMain }) => cpuMain, 1),
    '## Processor time of the whole process, µs a request',
    'The validator works in a thread of its own: it is in this table and not in the one above.',
    tables.ofLoads(({ cpuAll }) => cpuAll, 1),
    '## p99 in milliseconds',
    tables.ofLoads(({ p99 }) => p99 / 1000, 2),
    ...(openSeconds > 0
      ? [
          '## Latency at a constant rate, milliseconds',
          `Requests are due at 60 % of what each reached at 32 connections, in bursts of a millisecond, for ${openSeconds} s; ` +
            'latency counts from when a request was due.',
          tables.ofConstantRate(),
        ]
      : []),
    '## Start and memory',
    tables.ofFigures(),
    '## The validator',
    list(
      measured.validated.map(
        ({ name, health }) =>
          `${name}: ${health.sent} requests answered, ${health.validated} exchanges validated, ${health.validationFailures} not validated, ` +
          `${health.disagreements} disagreements, ${health.brokenResponses} broken responses`,
      ),
    ),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

class Tables {
  readonly #options: Options;
  readonly #measured: Measurements;
  readonly #running: readonly Contender[];
  readonly #head: readonly string[];

  constructor(options: Options, measured: Measurements, running: readonly Contender[]) {
    this.#options = options;
    this.#measured = measured;
    this.#running = running;
    this.#head = ['', ...running.map(({ name }) => name)];
  }

  ofLoads(value: (medians: Medians) => number, digits: number): string {
    const rows = this.#options.loads.flatMap(({ name }) =>
      this.#options.connections.map((each) => ({ load: `${name}, ${each}`, title: `${name}, ${each} conn.` })),
    );
    return table(
      this.#head,
      rows.map(({ load, title }) => [title, ...this.#running.map(({ name }) => this.#cell(name, load, value, digits))]),
    );
  }

  ofConstantRate(): string {
    const rows = this.#options.loads.flatMap(({ name }) =>
      (['p50', 'p99'] as const).map((which) => ({ load: `${name}, open`, title: `${name}, ${which}`, which })),
    );
    const thorough = this.#running.filter((contender) => contender.thorough);
    return table(
      ['', ...thorough.map(({ name }) => name)],
      rows.map(({ load, title, which }) => [
        title,
        ...thorough.map(({ name }) => this.#cell(name, load, (medians) => medians[which] / 1000, 2)),
      ]),
    );
  }

  ofFigures(): string {
    const rows: readonly [Figure, string][] = [
      ['start', 'spawn to first 200, ms'],
      ['idle', 'memory idle, MiB'],
      ['after', 'memory after the loads, MiB'],
      ['peak', 'memory at most, MiB'],
    ];
    return table(
      this.#head,
      rows.map(([figure, title]) => [
        title,
        ...this.#running.map(({ name }) => {
          const value = this.#measured.median(name, figure);
          return value === undefined ? '–' : withRatio(name, value, this.#measured.median(YARDSTICK, figure), 0);
        }),
      ]),
    );
  }

  #cell(name: string, load: string, value: (medians: Medians) => number, digits: number): string {
    const medians = this.#measured.medians(name, load);
    if (!medians || Number.isNaN(value(medians))) return '–';
    const yardstick = this.#measured.medians(YARDSTICK, load);
    const failures = this.#measured.failures(name, load);
    const failed = failures > 0 ? ` **${failures} failed**` : '';
    return `${withRatio(name, value(medians), yardstick && value(yardstick), digits)}${failed}`;
  }
}

function withRatio(name: string, value: number, yardstick: number | undefined, digits: number): string {
  const shown = value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return name === YARDSTICK || !yardstick ? shown : `${shown} (${(value / yardstick).toFixed(2)})`;
}

/** Without names or places: what the figures depend on. */
export function machine(): string {
  const [first] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  const processor = first?.model.trim() || 'processor';
  return (
    `${process.platform} ${process.arch}, ${cpus().length} × ${processor}, ${memory} GiB, Node ${process.version}, ` +
    `load average ${loadavg()[0]?.toFixed(1)} at the end`
  );
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
