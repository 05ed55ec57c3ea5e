/** `petstore-sandbox completion <shell>`: the completion script of a shell, made from the commands and flags. */

import type { Command } from 'commander';
import { bashScript } from './bash.ts';
import { completionsOf } from './completions.ts';
import { fishScript } from './fish.ts';
import { zshScript } from './zsh.ts';

const SCRIPTS: Readonly<Record<string, typeof bashScript>> = { bash: bashScript, zsh: zshScript, fish: fishScript };

/** @param shell one of the shells that the command accepts */
export function completionScript(program: Command, shell: string): string {
  const script = SCRIPTS[shell];
  if (!script) throw new TypeError(`no completion for ${shell}`);
  return script(completionsOf(program));
}
