/** The built program as a process that can be killed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { limit } from '../support/slow.ts';

export interface Program {
  /** `http://127.0.0.1:4020`, without a path. */
  readonly url: string;
  /** Ends it where it stands, and waits until it is gone. */
  kill(): Promise<void>;
}

const START_TIMEOUT_MS = limit(15_000);

/** Starts it on any free port. @param where the flags that say where sandboxes are kept @throws with its last words when it does not listen */
export async function startProgram(where: readonly string[]): Promise<Program> {
  const cli = fileURLToPath(new URL('../../dist/cli.cjs', import.meta.url));
  const flags = ['--port', '0', ...where, '--fixture', 'empty', '--log-format', 'json'];
  const child = spawn(process.execPath, [cli, ...flags], { stdio: ['ignore', 'pipe', 'pipe'] });
  const gone = once(child, 'exit');
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await gone;
  };
  const words: string[] = [];
  createInterface(child.stderr).on('line', (line) => words.push(line));
  const url = await new Promise<string>((resolve, reject) => {
    const fail = (reason: string) => () => reject(new Error(`the server ${reason}: ${words.slice(-20).join('\n')}`));
    const timer = setTimeout(fail('does not listen'), START_TIMEOUT_MS);
    void gone.then(fail('ended at its start'));
    createInterface(child.stdout).on('line', (line) => {
      words.push(line);
      const listening = /"url":"([^"]+)".*"msg":"listening"/.exec(line)?.[1];
      if (listening === undefined) return;
      clearTimeout(timer);
      resolve(listening);
    });
  }).catch(async (error: unknown) => {
    await kill();
    throw error;
  });
  return { url, kill };
}
