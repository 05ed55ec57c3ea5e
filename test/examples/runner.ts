/**
 * Runs the steps of a job as GitHub's runner does: each in a shell of its own, with the files by which steps hand on
 * variables, paths and outputs. Our own actions are run, those of others noted.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import { parse } from 'yaml';
import { type Ran, runLines } from './support.ts';

export interface Step {
  readonly id?: string;
  readonly name?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, string | number>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly run?: string;
}
interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
}

/** A step as it ran. */
export interface Done extends Ran {
  readonly step: string;
}
type Texts = Readonly<Record<string, string>>;
interface Outcome {
  readonly outputs: Texts;
  readonly failed: boolean;
}

/** Where our actions are, by what workflows call them. */
const OURS: readonly (readonly [RegExp, string])[] = [
  [/^[\w-]+\/petstore-sandbox@v[\d.]+$/, '.'],
  [/^[\w-]+\/petstore-sandbox\/\.github\/actions\/report@v[\d.]+$/, '.github/actions/report'],
];

export class Job {
  readonly done: Done[] = [];
  /** The actions of others, with what they were given. */
  readonly used: { readonly uses: string; readonly with: Texts }[] = [];
  readonly #folder: string;
  #variables: Texts;
  #paths: readonly string[] = [];

  constructor(folder: string, variables: Texts = {}) {
    this.#folder = folder;
    this.#variables = {
      GITHUB_JOB: 'test',
      GITHUB_WORKSPACE: folder,
      GITHUB_STEP_SUMMARY: join(folder, 'summary.md'),
      RUNNER_TEMP: folder,
      ...variables,
    };
  }

  /** All that the shells printed. */
  get log(): string {
    return this.done.map(({ stdout, stderr }) => stdout + stderr).join('');
  }

  /** The last step that ran, and how it ended. */
  get last(): readonly [string, number] | undefined {
    const last = this.done.at(-1);
    return last && [last.step, last.code];
  }

  /** Runs an action of ours with these inputs. */
  async action(folder: string, given: Readonly<Record<string, string | number>> = {}): Promise<Outcome> {
    const { inputs, outputs, runs } = parse(await readFile(join(folder, 'action.yml'), 'utf8')) as Action;
    const unknown = Object.keys(given).filter((name) => !(name in inputs));
    if (unknown.length > 0) throw new Error(`${folder}/action.yml has no inputs ${unknown.join(', ')}`);
    const context = Object.entries(inputs).map(([name, { default: usual = '' }]) => [
      `inputs.${name}`,
      String(given[name] ?? usual),
    ]);
    const known = Object.fromEntries(context.map(([name, text = '']) => [name, filledIn(text, JOB)])) as Record<
      string,
      string
    >;
    const failed = await this.steps(runs.steps, known, { GITHUB_ACTION_PATH: resolve(folder) });
    const values = Object.entries(outputs).map(([name, { value }]) => [name, filledIn(value, known)]);
    return { outputs: Object.fromEntries(values) as Texts, failed };
  }

  /** Runs steps in order; `known` gains their outputs. Whether one failed. */
  async steps(steps: readonly Step[], known: Record<string, string> = {}, variables: Texts = {}): Promise<boolean> {
    let failed = false;
    for (const step of steps) {
      const isWanted = step.if === undefined ? !failed : failed || !step.if.includes('failure()');
      if (!isWanted) continue;
      const outcome = await this.#step(step, known, variables);
      for (const [name, value] of Object.entries(outcome.outputs)) known[`steps.${step.id}.outputs.${name}`] = value;
      failed ||= outcome.failed;
    }
    return failed;
  }

  async #step(step: Step, known: Texts, variables: Texts): Promise<Outcome> {
    const given = (texts: Step['with'] = {}): Texts =>
      Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, filledIn(String(text), known)]));
    if (step.run !== undefined) return this.#shell(step, { ...variables, ...given(step.env) });
    const ours = OURS.find(([name]) => name.test(step.uses ?? ''));
    if (ours) return this.action(ours[1], given(step.with));
    this.used.push({ uses: step.uses ?? '', with: given(step.with) });
    return { outputs: {}, failed: false };
  }

  async #shell({ name, run = '' }: Step, variables: Texts): Promise<Outcome> {
    // The runner puts expressions into the lines as they are: a shell would run what somebody else wrote.
    if (run.includes('${{')) throw new Error(`an expression in the lines of a step: ${run}`);
    const [output, kept, paths] = ['output', 'env', 'path'].map((file) => join(this.#folder, `github-${file}`)) as [
      string,
      string,
      string,
    ];
    await Promise.all([output, kept, paths].map((file) => writeFile(file, '')));
    const PATH = [...this.#paths, process.env['PATH']].join(delimiter);
    const files = { GITHUB_OUTPUT: output, GITHUB_ENV: kept, GITHUB_PATH: paths };
    const env = { PATH, ...this.#variables, ...files, ...variables };
    const ran = await runLines(run, { folder: this.#folder, env });
    this.done.push({ step: name ?? run, ...ran });
    this.#variables = { ...this.#variables, ...(await pairsIn(kept)) };
    this.#paths = [...(await readFile(paths, 'utf8')).split('\n').filter(Boolean), ...this.#paths];
    return { outputs: await pairsIn(output), failed: ran.code !== 0 };
  }
}

/** The lines `name=value` of a file. */
async function pairsIn(file: string): Promise<Texts> {
  const lines = (await readFile(file, 'utf8')).split('\n').filter(Boolean);
  return Object.fromEntries(lines.map((line) => line.split(/=(.*)/).slice(0, 2)));
}

/** What a default of an input may name. */
const JOB: Texts = { 'github.job': 'test', 'strategy.job-index': '0' };

/** A text with its expressions, each the name of something known; of steps that did not run nothing is known. */
const filledIn = (text: string, known: Texts): string =>
  text.replace(/\$\{\{ (.*?) \}\}/g, (_, name: string) => {
    const value = known[name] ?? (name.startsWith('steps.') ? '' : undefined);
    if (value === undefined) throw new Error(`nobody knows the expression ${name}`);
    return value;
  });
