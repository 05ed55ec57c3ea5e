/** A command in this process, in a fraction of the time: for what it prints and its exit code, not for signals and pipes. */
import { runProgram } from '../../src/cli/program.ts';
import './compile-once.ts';
import type { Ran } from './program.ts';

/** Commands print to the streams of this process, so they run one at a time. */
let last: Promise<unknown> = Promise.resolve();

/** Runs a command to its end as in CI, with nothing else of this environment. */
export function runInProcess(args: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<Ran> {
  const ran = last.then(() => run(args, environment));
  last = ran.catch(() => undefined);
  return ran;
}

async function run(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<Ran> {
  const [out, err] = [kept(process.stdout), kept(process.stderr)];
  const { exitCode } = process;
  process.exitCode = undefined;
  try {
    await runProgram(args, { CI: 'true', ...environment });
    return { code: Number(process.exitCode ?? 0), stdout: out.text, stderr: err.text };
  } finally {
    process.exitCode = exitCode;
    for (const { restore } of [out, err]) restore();
  }
}

/** What is written to a stream from now on, in place of the stream. */
function kept(stream: NodeJS.WriteStream) {
  const { write } = stream;
  const found = {
    text: '',
    restore: () => {
      stream.write = write;
    },
  };
  stream.write = ((text: string) => {
    found.text += text;
    return true;
  }) as typeof write;
  return found;
}
