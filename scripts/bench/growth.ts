/**
 * `npm run bench:growth`: whether size costs anything. The same requests on next to nothing and on 220,000 pets, what
 * ten thousand idle sandboxes and a million creates take, and whether memory grows in a run ten times as long.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { measureIdle, SANDBOXES } from './growth/idle.ts';
import { measureLong, measureMillion } from './growth/long.ts';
import { CREATED, FIXTURE_PETS, measureSize } from './growth/size.ts';
import { chooseGenerator } from './load/generator.ts';
import { list, machine, table } from './report.ts';

const PARTS = ['size', 'idle', 'million', 'long'];

const USAGE = `npm run bench:growth -- [options]; without any: everything, about 8 minutes, and scripts/bench/GROWTH.md is written

  --only a,b         parts (size, idle, million, long); GROWTH.md is not written then
  --seconds 12       a tenth of the long run
  --with wrk         or node; wrk where it is installed`;

async function main(args: readonly string[]): Promise<void> {
  const text = { type: 'string' } as const;
  const options = { only: text, seconds: text, with: text, help: { type: 'boolean' } } as const;
  const { values } = parseArgs({ args: [...args], options });
  if (values.help) {
    console.log(USAGE);
    return;
  }
  const parts = values.only?.split(',') ?? PARTS;
  const unknown = parts.filter((part) => !PARTS.includes(part));
  if (unknown.length > 0) throw new Error(`--only has no ${unknown.join(', ')}; see --help`);
  const seconds = Number(values.seconds ?? 12);
  if (!(seconds >= 5 && seconds <= 600)) throw new Error('--seconds must be from 5 to 600');
  const generator = chooseGenerator(values.with);

  const texts = [
    '# What size costs',
    `${new Date().toISOString().slice(0, 10)}, with \`npm run bench:growth\`. ${machine()}. Load from ${generator.name} on the same machine.`,
  ];
  if (parts.includes('size')) {
    const rows = await measureSize(generator);
    texts.push(
      `## ${(FIXTURE_PETS + CREATED).toLocaleString('en')} pets against none`,
      table(['p50 at one connection, ms', 'none', `${FIXTURE_PETS} + ${CREATED}`, 'ratio'], rows),
      list([
        'list of 100: against a sandbox of 100 pets',
        'reset of a fork: the pets are gone from the sandbox, their files stay with the one it was forked from',
        'reset: their files go too',
      ]),
    );
  }
  if (parts.includes('idle')) {
    texts.push(
      `## ${SANDBOXES.toLocaleString('en')} idle sandboxes`,
      table(['', 'none', String(SANDBOXES), 'more'], await measureIdle()),
    );
  }
  if (parts.includes('million')) {
    texts.push('## A million creates', table(['after', 'MiB', 'at most'], await measureMillion(generator)));
  }
  if (parts.includes('long')) {
    texts.push(
      '## A run ten times as long',
      'All loads of `npm run bench` at 32 connections, one after the other; what was created is reset each time.',
      table(['after', 'MiB', 'at most'], await measureLong(generator, seconds)),
    );
  }
  const whole = `${texts.join('\n\n')}\n`;
  console.log(`\n${whole}`);
  if (values.only === undefined) writeFileSync(new URL('GROWTH.md', import.meta.url), whole);
}

await main(process.argv.slice(2));
