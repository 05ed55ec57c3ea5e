/** A HAR of any size that is read takes bounded memory: its entries are read and validated one after the other. */
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { expect, it } from 'vitest';
import { newFolder } from '../support/folder.ts';
import { runProgram } from '../support/program.ts';
import { limit } from '../support/slow.ts';

/**
 * Prints the most memory that the program took, in KiB. Not `maxRSS` of Linux: that begins with what the process had that
 * started the program.
 */
const PRINT_PEAK = `
  import { readFileSync } from 'node:fs';
  const peak = () => /^VmHWM:\\s+(\\d+)/m.exec(readFileSync('/proc/self/status', 'latin1'))[1];
  process.on('exit', () => console.error(process.platform === 'linux' ? peak() : process.resourceUsage().maxRSS));`;
const PEAK = `--import=data:text/javascript;base64,${Buffer.from(PRINT_PEAK).toString('base64')}`;

const pets = (count: number): string =>
  JSON.stringify(Array.from({ length: count }, (_, id) => ({ id, name: 'Rex', categoryId: 1 })));

function* archive(entries: number, body: string): Generator<string> {
  const content = { size: body.length, mimeType: 'application/json', text: body };
  yield '{"log":{"version":"1.2","entries":[';
  for (let index = 0; index < entries; index += 1) {
    const request = { method: 'GET', url: `https://api.example.com/v1/pets?limit=${(index % 100) + 1}`, headers: [] };
    const response = { status: 200, headers: [], content };
    const entry = { startedDateTime: '2026-11-24T10:00:00.000Z', time: 12, request, response };
    yield `${index > 0 ? ',' : ''}${JSON.stringify(entry)}`;
  }
  yield ']}}';
}

it.each([
  ['250,000 small entries', 150, 250_000, '[]'],
  ['200 MB of large lists', 160, 1_614, pets(2_600)],
])(
  'reads %s within %i MiB',
  async (_, most, entries, body) => {
    const file = join(await newFolder(), 'traffic.har');
    await pipeline(Readable.from(archive(entries, body)), createWriteStream(file));
    const { stdout, stderr } = await runProgram(['report', '--json', '--har', file], { NODE_OPTIONS: PEAK });
    expect(JSON.parse(stdout).counts.exchanges).toBe(entries);
    expect(Number.parseInt(stderr, 10) / 1024).toBeLessThan(most);
  },
  limit(300_000),
);
