/** The completion script of zsh. */
import type { Completions, Flag, Values } from './completions.ts';

const HEAD = `#compdef petstore-sandbox
# zsh completion for petstore-sandbox. To load it in this shell, after compinit:
#   source <(petstore-sandbox completion zsh)
# or save it as _petstore-sandbox in a folder of $fpath.
`;

const FOOT = `
if [[ "$funcstack[1]" == _petstore-sandbox ]]; then
  _petstore-sandbox "$@"
else
  compdef _petstore-sandbox petstore-sandbox
fi
`;

/** The script: a function for each command. */
export const zshScript = (all: readonly Completions[]): string => `${HEAD}${all.map(functionOf).join('')}${FOOT}`;

const nameOf = (path: string): string => `_petstore-sandbox${path === '' ? '' : `_${path.replaceAll(' ', '_')}`}`;

function functionOf({ path, commands, flags, argument }: Completions): string {
  const specs = [...flags.map(flagSpec), ...(argument === undefined ? [] : argumentSpecs(argument))];
  const lines = specs.map((spec) => ` \\\n    ${spec}`).join('');
  if (commands.length === 0) return `\n${nameOf(path)}() {\n  _arguments -S${lines}\n}\n`;
  const list = commands.map(({ name, about }) => `    ${quoted(`${name}:${about.replaceAll(':', '\\:')}`)}\n`);
  const calls = commands
    .filter(({ name }) => name !== 'help')
    .map(({ name }) => `        ${name}) ${nameOf(`${path} ${name}`.trim())} ;;\n`);
  return `
${nameOf(path)}() {
  local context state state_descr line curcontext="$curcontext"
  local -a commands
  local -A opt_args
  commands=(
${list.join('')}  )
  _arguments -C${lines} \\
    '1: :->command' \\
    '*:: :->rest' && return
  case $state in
    command) _describe -t commands command commands ;;
    rest)
      case $words[1] in
${calls.join('')}      esac
      ;;
  esac
}
`;
}

/** A flag may be given again: some are meant to be. */
const flagSpec = ({ name, about, values }: Flag): string =>
  quoted(
    `*${name}[${about.replaceAll(/[\][\\]/g, '\\$&').replaceAll(':', '\\:')}]${values === undefined ? '' : `:value:${action(values)}`}`,
  );

const argumentSpecs = (values: Values): string[] =>
  values === 'command'
    ? [quoted('(-)1:command:_command_names -e'), quoted('*::arguments:_normal')]
    : [quoted(`1:value:${action(values)}`)];

function action(values: Values): string {
  if (values === 'file') return '_files';
  if (values === 'directory') return '_files -/';
  return typeof values === 'string' ? ' ' : `(${values.join(' ')})`;
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
