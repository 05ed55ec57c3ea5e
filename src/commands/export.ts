/** `petstore-sandbox export`: saves a sandbox as a file. */

import type { CommandRun } from './connection.ts';
import { complain } from './problems.ts';
import { StatusLine } from './status-line.ts';
import { writeOut } from './write-out.ts';

interface ExportFlags {
  readonly format?: 'recording' | 'har' | 'curl' | 'fixture';
  readonly request?: string;
  readonly out?: string;
}

/** Prints the file, or writes it to `--out`. */
export const exportSandbox: CommandRun<ExportFlags> = async ({ client, flags, environment }) => {
  const { format = 'recording', request, out } = flags;
  const fetching = client.text('GET /export', { query: { format, request } });
  const text = await new StatusLine(environment).during('fetching the sandbox', fetching);
  if (out === undefined) process.stdout.write(text);
  else {
    await writeOut('--out', out, text);
    complain(
      `wrote ${out}; ${format === 'recording' ? `petstore-sandbox open ${out} shows it` : 'it contains no key'}`,
    );
  }
  return undefined;
};
