/** The completion script of fish. */
import type { Completions, Flag, Values } from './completions.ts';

const head = (paths: readonly string[]): string => `# fish completion for petstore-sandbox. To load it in this shell:
#   petstore-sandbox completion fish | source

set -g __petstore_sandbox_commands ${paths.map(quoted).join(' ')}

# Whether the words before the cursor call this command.
function __petstore_sandbox_at
    set -l words (commandline -opc)
    set -e words[1]
    set -l path ''
    for word in $words
        set -l longer (string trim -- "$path $word")
        contains -- $longer $__petstore_sandbox_commands; or break
        set path $longer
    end
    test "$path" = "$argv"
end

# Completes the command after --.
function __petstore_sandbox_command
    set -l words (commandline -opc)
    set -l at (contains -i -- -- $words); or return
    set -e words[1..$at]
    complete -C (string join ' ' -- $words (commandline -ct))
end

complete -c petstore-sandbox -f
`;

/** The script: one line for each command and flag. */
export const fishScript = (all: readonly Completions[]): string =>
  `${head(all.map(({ path }) => path).filter((path) => path !== ''))}${all.flatMap(linesOf).join('\n')}\n`;

const quoted = (text: string): string => `'${text.replaceAll(/[\\']/g, '\\$&')}'`;

function linesOf({ path, commands, flags, argument }: Completions): string[] {
  const at = `complete -c petstore-sandbox -n ${quoted(`__petstore_sandbox_at ${path || "''"}`)}`;
  return [
    ...commands.map(({ name, about }) => `${at} -a ${quoted(name)} -d ${quoted(about)}`),
    ...flags.map((flag) => `${at} ${flagOf(flag)}`),
    ...(argument === undefined ? [] : argumentOf(argument).map((rest) => `${at} ${rest}`)),
  ];
}

const flagOf = ({ name, about, values }: Flag): string =>
  `-l ${name.replace(/^--/, '')} -d ${quoted(about)}${values === undefined ? '' : ` ${valuesOf(values)}`}`;

function valuesOf(values: Values): string {
  if (values === 'file') return '-r -F';
  if (values === 'directory') return `-x -a ${quoted('(__fish_complete_directories)')}`;
  return typeof values === 'string' ? '-x' : `-x -a ${quoted(values.join(' '))}`;
}

function argumentOf(values: Values): string[] {
  if (values === 'command') return [`-x -a ${quoted('(__petstore_sandbox_command)')}`];
  if (values === 'file') return ['-F'];
  return values === 'text' ? [] : [valuesOf(values).replace(/^-x /, '')];
}
