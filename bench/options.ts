/** The command line of `npm run bench`. */
import { parseArgs } from 'node:util';
import { CONTENDERS, type Contender } from './contenders.ts';
import { chooseGenerator, type Generator } from './load/generator.ts';
import { LOADS, type Load } from './pets.ts';

export interface Options {
  readonly contenders: readonly Contender[];
  readonly loads: readonly Load[];
  readonly connections: readonly number[];
  /** Of each load in each round. */
  readonly seconds: number;
  readonly rounds: number;
  /** Of each sustained load; 0 leaves them out. */
  readonly sustained: number;
  readonly generator: Generator;
  /** Whether `bench/RESULTS.md` is written. */
  readonly write: boolean;
}

const USAGE = `npm run bench -- [options]; without any: everything, about 40 minutes, and bench/RESULTS.md is written

  --only a,b         contenders (${CONTENDERS.map(({ name }) => asOption(name)).join(', ')}); RESULTS.md is not written then
  --loads a,b        loads (${LOADS.map(({ name }) => asOption(name)).join(', ')})
  --connections 1,32
  --seconds 5        of each load in each round
  --rounds 3         medians are taken over the rounds
  --sustained 30     seconds of the sustained loads, at 32 connections; 0 leaves them out, as --only does
  --with wrk         or autocannon; wrk where it is installed
  --write            write RESULTS.md in spite of --only`;

/** Reads the options. Ends the program for --help. @throws naming the option that is wrong */
export function readOptions(args: readonly string[]): Options {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: text,
      loads: text,
      connections: text,
      seconds: text,
      rounds: text,
      sustained: text,
      with: text,
      write: flag,
      help: flag,
    },
  });
  if (values.help) {
    console.log(USAGE);
    process.exit(0);
  }
  const quick = values.only !== undefined || values.loads !== undefined;
  return {
    contenders: chosen('--only', values.only, CONTENDERS),
    loads: chosen('--loads', values.loads, LOADS),
    connections: (values.connections ?? '1,32').split(',').map((each) => count('--connections', each, 1, 256)),
    seconds: count('--seconds', values.seconds ?? '5', 1, 600),
    rounds: count('--rounds', values.rounds ?? '3', 1, 50),
    sustained: count('--sustained', values.sustained ?? (quick ? '0' : '30'), 0, 3_600),
    generator: chooseGenerator(values.with),
    write: values.write ?? !quick,
  };
}

/** A name as it is written behind an option: `wiremock-no-journal`. */
function asOption(name: string): string {
  return name.replace(', ', '-').replaceAll(' ', '-');
}

function chosen<T extends { readonly name: string }>(
  option: string,
  list: string | undefined,
  all: readonly T[],
): readonly T[] {
  if (list === undefined) return all;
  return list.split(',').map((wanted) => {
    const found = all.find(({ name }) => asOption(name) === wanted);
    if (!found) throw new Error(`${option} has no ${wanted}; see --help`);
    return found;
  });
}

function count(option: string, text: string, from: number, to: number): number {
  const value = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= from && value <= to) return value;
  throw new Error(`${option} must be from ${from} to ${to}; got ${JSON.stringify(text)}`);
}
