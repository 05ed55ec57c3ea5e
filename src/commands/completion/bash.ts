/** The completion script of bash, from 3.2 on: it needs no other package. */
import type { Completions, Values } from './completions.ts';

const HEAD = `# bash completion for petstore-sandbox. To load it in this shell:
#   source <(petstore-sandbox completion bash)

# Adds what compgen finds, line by line, because the name of a file may contain spaces.
_petstore_sandbox_add() {
  local each
  while IFS= read -r each; do COMPREPLY+=("$each"); done < <(compgen "$@" -- "$current")
}

_petstore_sandbox_files() {
  _petstore_sandbox_add "$1"
  compopt -o filenames 2>/dev/null
}

_petstore_sandbox() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]} path='' words='' files='' flags='' i
  COMPREPLY=()
  # --flag=value comes as three words.
  if [[ $current == = ]]; then
    current=''
  elif [[ $previous == = ]]; then
    previous=\${COMP_WORDS[COMP_CWORD - 2]}
  fi
`;

const FOOT = `  if [[ $current == -* || -z $words$files ]]; then
    _petstore_sandbox_add -W "$flags"
  elif [[ -n $words ]]; then
    _petstore_sandbox_add -W "$words"
  else
    _petstore_sandbox_files "$files"
  fi
}

complete -F _petstore_sandbox petstore-sandbox
`;

/** The script. */
export const bashScript = (all: readonly Completions[]): string =>
  `${HEAD}${findCommand(all)}${afterDashes(all)}${valuesOfFlags(all)}${wordsOf(all)}${FOOT}`;

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const findCommand = (all: readonly Completions[]): string => `  for ((i = 1; i < COMP_CWORD; i++)); do
    case "\${path:+$path }\${COMP_WORDS[i]}" in
      ${all
        .filter(({ path }) => path !== '')
        .map(({ path }) => quoted(path))
        .join(' | ')}) path="\${path:+$path }\${COMP_WORDS[i]}" ;;
      *) break ;;
    esac
  done
`;

/** After \`--\` a command of its own follows. */
const afterDashes = (all: readonly Completions[]): string => `  case $path in
    ${all
      .filter(({ argument }) => argument === 'command')
      .map(({ path }) => quoted(path))
      .join(' | ')})
      for ((; i < COMP_CWORD; i++)); do
        [[ \${COMP_WORDS[i]} == -- ]] || continue
        if ((i + 1 == COMP_CWORD)); then _petstore_sandbox_add -c; else _petstore_sandbox_files -f; fi
        return
      done
      ;;
  esac
`;

/** One line for all flags that take the same values. A flag that takes the same in every command is named alone. */
function valuesOfFlags(all: readonly Completions[]): string {
  const flags = all.flatMap(({ path, flags }) =>
    flags.flatMap(({ name, values }) => (values === undefined ? [] : [{ path, name, action: actionFor(values) }])),
  );
  const byAction = new Map<string, Set<string>>();
  for (const { path, name, action } of flags) {
    const isSame = flags.every((other) => other.name !== name || other.action === action);
    const pattern = isSame ? `*${quoted(` ${name}`)}` : quoted(`${path} ${name}`);
    byAction.set(action, (byAction.get(action) ?? new Set()).add(pattern));
  }
  const lines = [...byAction].map(([action, patterns]) => `    ${[...patterns].join(' | ')}) ${action}return ;;\n`);
  return `  case "$path $previous" in\n${lines.join('')}  esac\n`;
}

function actionFor(values: Values): string {
  if (values === 'file') return '_petstore_sandbox_files -f; ';
  if (values === 'directory') return '_petstore_sandbox_files -d; ';
  return typeof values === 'string' ? '' : `_petstore_sandbox_add -W ${quoted(values.join(' '))}; `;
}

const wordsOf = (all: readonly Completions[]): string => {
  const lines = all.map(({ path, commands, flags, argument }) => {
    const words = [...commands.map(({ name }) => name), ...(Array.isArray(argument) ? argument : [])].join(' ');
    const files = argument === 'file' ? ' files=-f' : argument === 'directory' ? ' files=-d' : '';
    const names = flags.map(({ name }) => name).join(' ');
    return `    ${quoted(path)})${words === '' ? '' : ` words=${quoted(words)}`}${files} flags=${quoted(names)} ;;\n`;
  });
  return `  case $path in\n${lines.join('')}  esac\n`;
};
