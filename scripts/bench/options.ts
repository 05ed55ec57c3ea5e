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
  readonly warmUpSeconds: number;
  readonly rounds: number;
  readonly starts: number;
  /** Of each load at a constant rate in each round; 0 leaves them out. */
  readonly openSeconds: number;
  readonly generator: Generator;
  /** Whether `scripts/bench/RESULTS.md` is written. */
  readonly write: boolean;
}

const USAGE = `npm run bench -- [options]; without any: about 11 minutes, and scripts/bench/RESULTS.md is written

  --quick            the sandbox and both Expresses, one round, under three minutes; RESULTS.md is not written
  --only a,b         contenders (${CONTENDERS.map(({ name }) => asOption(name)).join(', ')}); RESULTS.md is not written then
  --loads a,b        loads (${LOADS.map(({ name }) => asOption(name)).join(', ')})
  --connections 1,32
  --seconds 2        of each load in each round
  --rounds 3         medians are taken over the rounds
  --open 2           seconds of the loads at a constant rate; 0 leaves them out
  --with wrk         or node; wrk where it is installed
  --write            write RESULTS.md in spite of --only or --quick`;

/** Reads the options. Ends the program for --help. @throws naming the option that is wrong */
export function readOptions(args: readonly string[]): Options {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: flag,
      only: text,
      loads: text,
      connections: text,
      seconds: text,
      rounds: text,
      open: text,
      with: text,
      write: flag,
      help: flag,
    },
  });
  if (values.help) {
    console.log(USAGE);
    process.exit(0);
  }
  const { quick = false } = values;
  const usual = CONTENDERS.filter(({ onRequest, thorough }) => (quick ? thorough : !onRequest));
  return {
    contenders: chosen('--only', values.only, CONTENDERS) ?? usual,
    loads: chosen('--loads', values.loads, LOADS) ?? LOADS,
    connections: (values.connections ?? '1,32').split(',').map((each) => count('--connections', each, 1, 256)),
    seconds: count('--seconds', values.seconds ?? '2', 1, 600),
    warmUpSeconds: quick ? 1 : 2,
    rounds: count('--rounds', values.rounds ?? (quick ? '1' : '3'), 1, 50),
    starts: quick ? 2 : 5,
    openSeconds: count('--open', values.open ?? '2', 0, 600),
    generator: chooseGenerator(values.with),
    write: values.write ?? !(quick || values.only !== undefined || values.loads !== undefined),
  };
}

/** A name as it is written behind an option: `wiremock-no-request log`. */
function asOption(name: string): string {
  return name.replace(', ', '-').replaceAll(' ', '-');
}

function chosen<T extends { readonly name: string }>(
  option: string,
  list: string | undefined,
  all: readonly T[],
): readonly T[] | undefined {
  return list?.split(',').map((wanted) => {
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
