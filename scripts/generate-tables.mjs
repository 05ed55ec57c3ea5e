// Fills in the parts of the pages in docs/ that the code has as data: tables of codes, rules, settings and decisions. A
// step of generate.mjs writes the lines between two comments like these:
//
//     <!-- generated: error codes -->
//     <!-- end of generated -->
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The pages with such parts. */
export const PAGES = [
  'reference/errors',
  'reference/rules',
  'reference/settings',
  'guides/conform',
  'reference/behavior',
  'reference/drills',
].map((name) => `docs/${name}.md`);

const SOURCES = `
  export { DRILLS } from './src/drills/catalogue.ts';
  export { ERRORS } from './src/core/errors.ts';
  export { rules } from './src/report/rules.ts';
  export { defaultInHelp, SETTINGS } from './src/server/settings.ts';
  export { BASIS_WORDS, RULES } from './src/conform/rules.ts';
  export { CASES, keyCases, nameOf } from './src/conform/cases.ts';
`;

/** What the tables come from. The oldest Node that we support reads no TypeScript. */
export const readTables = async () => {
  const stdin = { contents: SOURCES, resolveDir: root, loader: 'ts' };
  const options = { bundle: true, format: 'esm', platform: 'node', write: false };
  const { outputFiles } = await build({ stdin, ...options });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
};

const code = (text) => `\`${text}\``;
const line = (cells) => `| ${cells.join(' | ')} |`;
const table = (head, rows) => [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');

const PARTS = {
  'error codes': ({ ERRORS }) =>
    table(
      ['code', 'status', 'when'],
      Object.entries(ERRORS).map(([name, [status, when]]) => [code(name), status, when]),
    ),
  rules: ({ rules }) => rules.map(({ id, title, help }) => `## ${id}\n\n${title}. ${help}`).join('\n\n'),
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
    table(
      ['rule', 'basis', 'a server differs where'],
      Object.entries(RULES).map(([rule, { basis, says }]) => [code(rule), BASIS_WORDS[basis], says]),
    ),
  'each drill': ({ DRILLS }) =>
    DRILLS.map(({ id, group, title, task, checks }) => {
      const own = checks.length > 1 ? checks.filter(({ id: check }) => check !== 'result') : checks;
      const fixes = [...new Set(own.map(({ fix }) => fix))];
      const says = own.map(({ level, title: one }) => `- *${level}*: ${one}`).join('\n');
      return `## ${id}\n\n${title} (${group}; task \`${task}\`)\n\n${says}\n\n*Fix:* ${fixes.join(' ')}`;
    }).join('\n\n'),
  decisions: ({ CASES, keyCases, nameOf, ERRORS }) => {
    const codeOf = (status) => Object.entries(ERRORS).find(([, [own]]) => own === status)?.[0];
    const rows = [...keyCases('a-key'), ...Object.values(CASES)].map(({ requests, status, why, rule }) => [
      why,
      requests.map((request) => code(nameOf(request).replace(/^POST \/v1\/pets (?=.)/, ''))).join(', '),
      status < 400 ? status : `${status} ${code(codeOf(status))}`,
      code(rule),
    ]);
    return table(['decision', 'requests', 'response', 'rule of `conform`'], rows);
  },
};

const PLACE = /^<!-- generated: (.+) -->\n(?:[\s\S]*?\n)??<!-- end of generated -->$/gm;

/** The text of a page with its generated parts. */
export const withParts = (page, tables) =>
  page.replace(PLACE, (_, part) => {
    if (!PARTS[part]) throw new Error(`there is no generated part ${part}`);
    return `<!-- generated: ${part} -->\n${PARTS[part](tables)}\n<!-- end of generated -->`;
  });
