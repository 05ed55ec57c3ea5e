/** An error that nothing expected: one line for the user, and the rest in a file. */
import { writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { printable, shorten } from '../base/text.ts';
import { createRedact } from '../traffic/redact.ts';

/** Exits with code 1. By default, Node prints the line of the source, which in a bundle is the whole program. */
export function endOnUncaught(error: unknown): never {
  const { SANDBOX_ADMIN_TOKEN: token, SANDBOX_KEY: key, SANDBOX_API_KEYS: keys } = process.env;
  const redact = createRedact(
    [token, key, ...(keys?.split(/[\s,]+/) ?? [])].filter((text) => text !== undefined && text !== '') as string[],
  );
  const { code, message } =
    error instanceof Error ? (error as NodeJS.ErrnoException) : { code: undefined, message: String(error) };
  const summary = `internal error ${code ?? 'internal_error'}: ${shorten(message.split('\n', 1)[0] as string, 200)}`;
  const where = writeDetails(redact(inspect(error)));
  writeSync(2, printable(redact(`petstore-sandbox: ${summary}; ${where}`)).concat('\n'));
  process.exit(1);
}

function writeDetails(text: string): string {
  const file = join(tmpdir(), `petstore-sandbox-error-${process.pid}.txt`);
  try {
    writeFileSync(file, `${text}\n`, { mode: 0o600 });
    return `details are in ${file}`;
  } catch {
    return `details could not be written to ${file}`;
  }
}
