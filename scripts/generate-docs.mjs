// Fills in the parts of the pages in docs/ that the code has as data. A step of generate.mjs writes the lines between
// two comments like these:
//
//     <!-- generated: error codes -->
//     <!-- end of generated -->
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

const SOURCES = `
  export { ERRORS } from './src/api/errors.ts';
  export { isPlain } from './src/api/plain-schema.ts';
  export { BEHAVIOR } from './src/report/behavior.ts';
  export { FORMATS } from './src/report/formats/formats.ts';
  export { rules } from './src/report/rules.ts';
  export { defaultInHelp, SETTINGS } from './src/settings/settings.ts';
  export { BASIS_WORDS, RULES } from './src/conform/rules.ts';
  export { CASES, caseNameOf, keyCases } from './src/conform/cases.ts';
  export { COMMANDS } from './src/commands/table.ts';
  export { CONNECTION } from './src/commands/flags.ts';
  export { DRILLS } from './src/drills/catalogue.ts';
`;

/** What the code has as data. The oldest Node that we support reads no TypeScript. */
export const readTables = async () => {
  const outfile = path.join(root, 'node_modules/.cache/tables.mjs');
  // A command imports what it runs when it is called: that is left out.
  const calls = ({ kind, path: name }) => (kind === 'dynamic-import' ? { path: name, external: true } : undefined);
  const plugins = [{ name: 'calls', setup: ({ onResolve }) => onResolve({ filter: /./ }, calls) }];
  const stdin = { contents: SOURCES, resolveDir: root, loader: 'ts' };
  const options = { bundle: true, format: 'esm', platform: 'node', packages: 'external', logLevel: 'error' };
  await mkdir(path.dirname(outfile), { recursive: true });
  await build({ stdin, outfile, plugins, ...options });
  return import(`${outfile}?${Date.now()}`);
};

const code = (text) => `\`${text}\``;
const line = (cells) => `| ${cells.join(' | ').replaceAll('\n', ' ')} |`;
const table = (head, rows) => [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
const flagLine = ({ flag, help, default: value }) =>
  `- ${code(flag)}: ${help}${value === undefined ? '' : ` (default: ${value})`}`;
const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}.`;

/** The endpoints' names for the security schemes; the first is said once, above the table. */
const CALLERS = { sandboxKey: 'a key', adminToken: 'the admin token' };
const callersOf = (security) =>
  security.map((each) => Object.keys(each).map((name) => CALLERS[name])[0] ?? 'nothing').join(' or ') || 'nothing';

const PARTS = {
  'error codes': ({ ERRORS }) =>
    table(
      ['code', 'status', 'when'],
      Object.entries(ERRORS).map(([name, [status, when]]) => [code(name), status, when]),
    ),
  rules: ({ rules }) => rules.map(({ id, title, help }) => `### ${id}\n\n${title}. ${help}`).join('\n\n'),
  settings: ({ SETTINGS, defaultInHelp }) =>
    table(
      ['flag', 'variable', 'default', 'meaning'],
      Object.values(SETTINGS).map((setting) => [
        code(setting.flag),
        code(setting.variable),
        defaultInHelp(setting) ?? '',
        setting.help,
      ]),
    ),
  'rules of conform': ({ RULES, BASIS_WORDS }) =>
    Object.entries(BASIS_WORDS)
      .map(([of, words]) => {
        const lines = Object.entries(RULES).filter(([, { basis }]) => basis === of);
        return `### By the ${words}\n\n${lines.map(([rule, { says }]) => `- ${code(rule)}: ${says}`).join('\n')}`;
      })
      .join('\n\n'),
  /** Each decision once, with one of its requests. */
  decisions: ({ CASES, caseNameOf, keyCases, ERRORS }) => {
    const codeOf = (status) => Object.entries(ERRORS).find(([, [own]]) => own === status)?.[0];
    const decisions = new Map();
    for (const each of [...keyCases('a-key'), ...Object.values(CASES)]) {
      const key = [each.why, each.status, each.rule].join();
      decisions.set(key, [...(decisions.get(key) ?? []), each]);
    }
    return table(
      ['decision', 'for example', 'response', 'rule'],
      [...decisions.values()].map((cases) => {
        const [{ status, why, rule }] = cases;
        const names = cases.flatMap(({ requests }) => requests.map(caseNameOf));
        const short = names.filter((name) => name.length < 70);
        const [shown] = short.length > 0 ? short : names;
        return [
          why,
          code(shown.replace(/^POST \/v1\/pets (?=.)/, '')),
          status < 400 ? status : `${status} ${code(codeOf(status))}`,
          code(rule),
        ];
      }),
    );
  },
  endpoints: (_, { servers: [{ url: base }], paths }) => {
    const usual = 'a key or the admin token';
    const rows = Object.entries(paths).flatMap(([at, item]) =>
      Object.entries(item).map(([method, { security, summary }]) => {
        const callers = callersOf(security);
        const request = code(`${method.toUpperCase()} ${base}${at === '/' ? '' : at}`);
        return [request, callers === usual ? summary : `${summary} (needs ${callers})`];
      }),
    );
    return table(['request', 'what it does'], rows);
  },
  commands: ({ COMMANDS, CONNECTION }) => {
    const own = ({ flags }) => Object.entries(flags).filter(([name]) => !(name in CONNECTION));
    const all = COMMANDS.filter(({ name }) => name !== 'serve').map((command) => ({ ...command, flags: own(command) }));
    const uses = (given) => all.filter(({ flags }) => flags.some(([, flag]) => flagLine(flag) === given)).length;
    const lines = all.flatMap(({ flags }) => flags.map(([, flag]) => flagLine(flag)));
    const shared = new Set(lines.filter((each) => uses(each) > 1));
    const section = ({ name, summary, arguments: positional = [], flags }) => {
      const forms = positional.map(([form]) => ` ${form}`).join('');
      const also = flags
        .filter(([, flag]) => shared.has(flagLine(flag)))
        .map(([, { flag }]) => code(flag.split(' ')[0]));
      const ownLines = flags.map(([, flag]) => flagLine(flag)).filter((each) => !shared.has(each));
      const rest =
        name === 'faults add' ? ['Its flags are [the fields of a fault](../guides/faults.md#with-a-rule).'] : ownLines;
      const end = also.length === 0 ? '' : ` Also ${also.join(', ')}.`;
      return [
        `### ${code(name)}`,
        `${forms === '' ? '' : `${code(name + forms)}: `}${sentence(summary)}${end}`,
        rest.join('\n'),
      ]
        .filter(Boolean)
        .join('\n\n');
    };
    return [`Several commands share these flags:\n\n${[...shared].join('\n')}`, ...all.map(section)].join('\n\n');
  },
  'each drill': ({ DRILLS }) =>
    DRILLS.map(({ id, group, title, task, checks }) => {
      const own = checks.length > 1 ? checks.filter(({ id: check }) => check !== 'result') : checks;
      const fixes = [...new Set(own.map(({ fix }) => fix))];
      const says = own.map(({ level, title: one }) => `- *${level}*: ${one}`).join('\n');
      return `## ${id}\n\n${title} (${group}; task \`${task}\`)\n\n${says}\n\n*Fix:* ${fixes.join(' ')}`;
    }).join('\n\n'),
};

const PLACE = /^<!-- generated: (.+) -->\n(?:[\s\S]*?\n)??<!-- end of generated -->$/gm;

/** The text of a page with its generated parts. @param controlApi its specification, parsed */
export const withParts = (page, tables, controlApi) =>
  page.replace(PLACE, (_, part) => {
    if (!PARTS[part]) throw new Error(`there is no generated part ${part}`);
    return `<!-- generated: ${part} -->\n${PARTS[part](tables, controlApi)}\n<!-- end of generated -->`;
  });
