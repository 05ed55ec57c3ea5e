import { expect } from 'vitest';
import { runInProcess } from '../support/in-process.ts';

/** The commands as a user calls them: a line in words, with this environment. */
export function asUser(environment: Record<string, string | undefined> = {}, runArguments = runInProcess) {
  const run = (line: string) => runArguments(line.split(' '), environment);
  const printed = async (line: string, wanted: number): Promise<string> => {
    const { code, stdout, stderr } = await run(line);
    expect({ code, stderr }).toEqual({ code: wanted, stderr: '' });
    return stdout;
  };
  return {
    run,
    /** The lines that it prints, and nothing else. */
    lines: async (line: string, wanted = 0): Promise<string[]> => (await printed(line, wanted)).trimEnd().split('\n'),
    /** The JSON that it prints. */
    // biome-ignore lint/suspicious/noExplicitAny: what a test reads out of it, it also checks
    json: async (line: string, wanted = 0): Promise<any> => JSON.parse(await printed(line, wanted)),
    /** What it complains of; it prints nothing. */
    complaint: async (line: string, wanted = 2): Promise<string> => {
      const { code, stdout, stderr } = await run(line);
      expect({ code, stdout }).toEqual({ code: wanted, stdout: '' });
      return stderr;
    },
  };
}

/** The command that runs a client: `get` and `post` are at hand. */
export const script = (text: string): string[] => [
  '--',
  process.execPath,
  '--input-type=module',
  '-e',
  `const { SANDBOX_URL: url, SANDBOX_KEY: key } = process.env;
   const headers = { Authorization: 'Bearer ' + key, 'Content-Type': 'application/json' };
   const get = (path) => fetch(url + path, { headers });
   const post = (path, body) => fetch(url + path, { headers, method: 'POST', body: JSON.stringify(body) });
   ${text}`,
];

/** The same command, whatever it does: the text of `CLIENT`. */
export const SCRIPT_OF_CLIENT = script(`await eval('(async () => {' + process.env.CLIENT + '})()');`);
