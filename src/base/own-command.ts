/** How this program is called again. */
import { basename, dirname } from 'node:path';

/** A command of this program, which works as it is printed: with `npx` unless the shell found the program by itself. */
export function ownCommand(args: string): string {
  const called = process.argv[1] ?? '';
  const isOnPath = basename(called) === 'petstore-sandbox' && basename(dirname(called)) !== '.bin';
  return `${isOnPath && process.env['npm_command'] !== 'exec' ? '' : 'npx '}petstore-sandbox ${args}`;
}
