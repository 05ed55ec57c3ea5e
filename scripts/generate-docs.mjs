// Fills in the parts of the pages in docs/ that the code has as data. A step of generate.mjs writes the lines between
// two comments like these:
//
//     <!-- generated: error codes -->
//     <!-- end -->
import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import ts from 'typescript';

const root = fileURLToPath(new URL('..', import.meta.url));

const SOURCES = `
  export { ERRORS } from './src/base/api/errors.ts';
  export { isPlain } from './src/base/api/specification.ts';
  export { KINDS, reportKinds } from './src/verdict/report/kinds.ts';
  export { FORMATS } from './src/verdict/report/formats/formats.ts';
  export { SIGNS } from './src/verdict/report/results.ts';
  export { rules } from './src/verdict/report/rules.ts';
  export { defaultInHelp, SETTINGS } from './src/base/settings/settings.ts';
  export { CASES, caseNameOf, keyCases } from './test/server/petstore/requests.ts';
  export { COMMANDS } from './src/cli/table.ts';

  export { ENTRY_SCHEMAS, SHARED_SCHEMAS } from './src/sandbox/store/entry-schemas.ts';
  export { writtenTimes } from './src/base/time.ts';
  export { DRILLS } from './src/verdict/drills/catalog.ts';
  export * from './src/base/limits.ts';
  export { LEAST_FOR_DOCUMENTS, planMemory } from './src/base/memory.ts';
  export { mostOfHar } from './src/verdict/documents/har-source.ts';
  export { LONG } from './src/server/http/capacity.ts';
  export { LOOPBACK_NAMES } from './src/server/http/listening.ts';
  export { MAX_PROBLEMS } from './src/server/http/schema-checks.ts';
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
const count = (number) => number.toLocaleString('en');
/** `16 KiB`, `7 MiB`. */
const size = (bytes) =>
  bytes < 2 ** 20 ? `${count(bytes / 2 ** 10)} KiB` : `${count(Math.floor(bytes / 2 ** 20))} MiB`;
const seconds = (ms) => `${ms / 1000} s`;
const line = (cells) => `|${cells.join('|').replaceAll('\n', ' ')}|`;
const table = (head, rows) => [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
const capital = (text) => `${text[0].toUpperCase()}${text.slice(1)}`;
const lowered = (text) => `${text[0].toLowerCase()}${text.slice(1).replace(/\.$/, '')}`;

const CLOSED = 'the connection is closed';

/** Cases whose response follows from the specification. */
const SPECIFIED = new Set([
  'a query as documented',
  'a pet as documented',
  'a value out of bounds',
  'not an integer',
  'the body is required',
  "the body isn't JSON",
  "the body isn't an object",
  'a value of another type',
  "a value isn't one of the allowed ones",
  'every operation needs a valid key',
  'no pet has this id',
]);

/** What an endpoint needs by its security schemes, unless it is a key or the admin token: that is said above the list. */
const needOf = (security) => {
  const [first, second] = security.flatMap((each) => Object.keys(each));
  if (first === undefined) return ' (public)';
  if (security.length === 3) return ' (key optional)';
  if (second === undefined) return first === 'adminToken' ? ' (admin token)' : ' (key)';
  return '';
};

/** @param group a tag: only its endpoints */
const endpointsOf = ({ servers: [{ url: base }], paths }, group) => {
  const rows = Object.entries(paths).flatMap(([at, item]) =>
    Object.entries(item).flatMap(([method, { security, summary, deprecated, tags }]) => {
      if (group !== undefined && !tags.includes(group)) return [];
      const request = code(`${method.toUpperCase()} ${base}${at === '/' ? '' : at}`);
      const need = security === undefined ? '' : needOf(security);
      return [[request, `${lowered(summary)}${need}${deprecated ? ' (deprecated)' : ''}`]];
    }),
  );
  return table(['request', 'purpose'], rows);
};

/** What a docstring says, without its tags, in one line. */
const saidOf = (node) => (ts.getTextOfJSDocComment(node.jsDoc?.at(-1)?.comment) ?? '').replace(/\s+/g, ' ').trim();

/** `requests(filter?): Promise<ShownExchange[]>`: in one line, without the types of parameters, which an editor shows. */
const signatureOf = (member, source) => {
  const name = member.name.getText(source);
  if (member.parameters === undefined) return name;
  const parameters = member.parameters.map((each) => {
    const isOptional = each.questionToken !== undefined || each.initializer !== undefined;
    const { elements } = each.name;
    const called =
      elements === undefined
        ? each.name.getText(source)
        : `{ ${elements.map((one) => (one.propertyName ?? one.name).getText(source)).join(', ')} }`;
    return `${called}${isOptional ? '?' : ''}`;
  });
  return `${name}(${parameters.join(', ')})`;
};

const memberRows = (members, source, before = '') =>
  members.flatMap((member) =>
    member.type && ts.isTypeLiteralNode(member.type)
      ? memberRows(member.type.members, source, `${before}${member.name.getText(source)}.`)
      : [[code(before + signatureOf(member, source)), saidOf(member)]],
  );

const nameOfExport = (statement) => statement.name ?? statement.declarationList?.declarations[0].name;

/** A function, or one that was handed to another: `export const openSandbox = forCallers(async (server) => …)`. */
const functionIn = (statement) => {
  const call = statement.declarationList?.declarations[0].initializer;
  return call === undefined ? statement : { name: nameOfExport(statement), parameters: call.arguments[0].parameters };
};

/** The exports of a module of the library, as its docstrings describe them. @param names in the order of the page */
const exportsOf = (file, names) => {
  const source = ts.createSourceFile(file, readFileSync(path.join(root, file), 'utf8'), ts.ScriptTarget.Latest, true);
  return names
    .map((name) => {
      const found = source.statements.find((each) => nameOfExport(each)?.getText(source) === name);
      if (found === undefined) throw new Error(`${file} has no ${name}`);
      const head = ts.isInterfaceDeclaration(found) ? name : signatureOf(functionIn(found), source);
      const rows = ts.isInterfaceDeclaration(found) ? memberRows(found.members, source) : [];
      const members = rows.length > 0 ? `\n\n${table(['member', 'meaning'], rows)}` : '';
      return `### ${head}\n\n${saidOf(found)}${members}`.replaceAll(/\n{3,}/g, '\n\n');
    })
    .join('\n\n');
};

/** What each status of a result says to a reader. */
const STATUSES = {
  passed: 'passed',
  warned: 'passed with a warning',
  failed: 'failed',
  error: "undecided: the check couldn't finish",
  skipped: 'not tested, or not applicable',
  accepted: 'a note, or a failure accepted as known',
};

const PARTS = {
  /** Where the name is not the flag in camel case. Meanings and defaults are on the page of the settings. */
  'options of startSandbox': ({ SETTINGS }) =>
    Object.entries(SETTINGS)
      .flatMap(([name, { flag }]) => {
        const [own] = flag.split(' ');
        const isAlike = own === `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
        return isAlike ? [] : `${code(name)} (${code(own)})`;
      })
      .join(', '),
  'a running server': () => exportsOf('src/index.ts', ['PetstoreSandbox', 'SandboxKey']),
  'for tests': () =>
    exportsOf('src/testing.ts', [
      ...['withSandbox', 'openSandbox', 'expectContractPassed', 'drill'],
      ...['TestSandboxOptions', 'TestSandbox'],
    ]),
  'error codes': ({ ERRORS }) =>
    table(
      ['status', 'code', 'reason'],
      Object.entries(ERRORS).map(([name, [status, when]]) => [status, code(name), when]),
    ),
  signs: ({ SIGNS }) => {
    const rows = Object.entries(SIGNS).map(([status, sign]) => {
      if (!(status in STATUSES)) throw new Error(`the sign ${sign} of ${status} has no meaning on the page`);
      return [code(sign), STATUSES[status]];
    });
    return table(['sign', 'meaning'], rows);
  },
  /** Each row has an anchor, as a heading of its name would. */
  rules: ({ rules }) =>
    table(
      ['rule', 'meaning', 'what to do'],
      rules.map(({ id, title, help }) => [`<a id="${id.replaceAll('/', '')}"></a>${code(id)}`, title, help]),
    ),
  settings: ({ SETTINGS, defaultInHelp }) =>
    table(
      ['flag', 'variable', 'meaning', 'default'],
      Object.values(SETTINGS).map((setting) => {
        const value = defaultInHelp(setting);
        return [code(setting.flag), code(setting.variable), setting.help, value === 'none' ? '' : value];
      }),
    ),
  limits: (of) => {
    const most = of.planMemory({ limit: { bytes: 2 ** 40 }, heap: Infinity });
    const least = of.planMemory({ limit: { bytes: of.LEAST_FOR_DOCUMENTS }, heap: Infinity });
    const hars = [least, most].map(({ documents }) => of.mostOfHar(documents));
    const { headersTimeout, requestTimeout } = of.TIMEOUTS;

    const long = size(of.LONG);
    return table(
      ['what', 'limit', 'beyond it'],
      [
        ['active keys of a sandbox', of.MAX_KEYS, '409'],
        ['snapshots of a sandbox', of.MAX_SNAPSHOTS, '409'],
        ['fault rules of a sandbox', of.MAX_FAULTS, '409'],
        ['connections', `${count(most.connections)}, or the open-file limit minus ${of.RESERVED_FILES}`, CLOSED],

        ['headers of a request', seconds(headersTimeout), '408'],
        ['time for a whole request', seconds(requestTimeout), '408'],
        ['request line and headers', size(of.MAX_HEAD), '431'],

        ['levels of a body', of.MAX_NESTING, '400'],
        ['fields and array items of a body', count(of.MAX_MEMBERS), '413'],
        [`bodies over ${long} in transit`, `${size(most.inFlight)}, half of it for one sandbox`, 'requests wait'],

        ['pets generated in one call', count(of.MAX_GENERATED), '400'],
        ['fixture file', size(of.MAX_FIXTURE_BYTES), "the server doesn't start; 409 for an export"],
        ['files in `--fixtures`', of.MAX_FIXTURE_FILES, "the server doesn't start"],
        ['recording', `${size(of.MAX_RECORDING_BYTES)}, less if memory is short`, '413; 409 for an export'],

        ['body of the control API, and HAR sent to a server', size(of.MAX_CONTROL_BODY), '413'],
        [
          'HAR, unpacked',
          `${size(of.MAX_HAR_BYTES)}; on a server ${hars.map(size).join(' to ')}, by its memory`,
          '400',
        ],
        ['time to check a HAR', seconds(of.THREAD_MS.har), '400'],
        ['draft', size(of.MAX_DRAFT_BYTES), '413'],
        ['time to check a draft', seconds(of.THREAD_MS.draft), '400'],
        ['HARs and drafts checked at once', 1, 'requests wait; 503 if four wait already'],
      ],
    );
  },
  hosts: ({ LOOPBACK_NAMES }) =>
    table(
      ['the server listens on', 'a program, such as curl', 'a page in a browser'],
      [
        [
          'this machine only (the default)',
          `needs a loopback name (${LOOPBACK_NAMES.map(code).join(', ')}) or an allowed host`,
          'the same',
        ],
        [
          'more (`--host 0.0.0.0`, the image)',
          'may use any name',
          'needs a loopback name, an IP address or an allowed host',
        ],
      ],
    ),
  'names of the certificate': ({ LOOPBACK_NAMES }) =>
    `The certificate covers ${LOOPBACK_NAMES.map(code).join(', ')}, the machine's name, and the names in \`--host\`,
\`--public-url\` and \`--allow-host\`.`,
  memory: ({ planMemory }) =>
    table(
      ['container', 'pets', 'connections', 'HARs and drafts'],
      [256, 384, 1024].map((mib) => {
        const bytes = mib * 2 ** 20;
        const { pets, connections, documents } = planMemory({ limit: { bytes }, heap: Infinity });
        return [size(bytes), size(pets), count(connections), documents > 0 ? 'yes' : 'no'];
      }),
    ),
  /** Each decision once, with one of its requests. What the specification says itself is no decision. */
  decisions: ({ CASES, caseNameOf, keyCases }) => {
    const decisions = new Map();
    for (const { status, why, requests } of [...keyCases('a-key'), ...Object.values(CASES)]) {
      // The page says in which order a request is checked.
      if (why.includes('checked before') || SPECIFIED.has(why)) continue;
      const decision = [status, capital(why)].join('|');
      decisions.set(decision, [...(decisions.get(decision) ?? []), ...requests.map(caseNameOf)]);
    }
    const rows = [...decisions].map(([decision, names]) => {
      const shown = names.find((name) => name.length < 70) ?? names[0];
      return [decision, code(shown.replace(/^POST \/v1\/pets (?=.)/, ''))];
    });
    rows.sort(([a], [b]) => Number.parseInt(a, 10) - Number.parseInt(b, 10));
    return table(['status', 'decision', 'example'], rows);
  },
  'endpoints of spec/openapi.yaml': (_, { petstore }) => endpointsOf(petstore),
  'endpoints of spec/control-api.yaml': (_, { controlApi }, group) => endpointsOf(controlApi, group),
  'groups of spec/control-api.yaml': (_, { controlApi: { tags } }) =>
    tags
      .map(({ name, description }) => `- [${name}](control-api/${name.toLowerCase()}.md): ${lowered(description)}`)
      .join('\n'),
  /** `--help` lists their flags, and the page says above what the exit codes mean. */
  commands: ({ COMMANDS }) =>
    COMMANDS.filter(({ name }) => name !== 'serve')
      .map(({ name, summary, arguments: positional = [] }) => {
        const call = [name, ...positional.map(([form]) => form)].join(' ');
        return `- ${code(call)}: ${summary.replace(/ \(exit code [^)]*\)/, '')}`;
      })
      .join('\n'),
  /** Each row has an anchor. Where drills share a fix, only the first of them gives it. */
  'each drill': ({ DRILLS }) => {
    const given = new Set();
    const rows = DRILLS.map(({ id, group, title, task, checks }) => {
      const own = checks.length > 1 ? checks.filter((check) => check.id !== 'result') : checks;
      const titlesOf = (level) =>
        own
          .filter((check) => check.level === level)
          .map((check) => check.title)
          .join(' ');
      const fixes = [...new Set(own.map(({ fix }) => fix))].filter((fix) => !given.has(fix));
      for (const fix of fixes) given.add(fix);
      const name = `<a id="${id}"></a>${code(id)}`;
      return [name, group, code(task), title, titlesOf('must'), titlesOf('should'), fixes.join(' ')];
    });
    return table(['drill', 'group', 'task', 'what goes wrong', 'must', 'should', 'fix'], rows);
  },
};

const PLACE = /^<!-- generated: (.+) -->\n(?:[\s\S]*?\n)??<!-- end -->$/gm;

/** The text of a page with its generated parts. @param specifications parsed, as `petstore` and `controlApi` */
export const withParts = (page, tables, specifications) =>
  page.replace(PLACE, (_, part) => {
    const [name, group] = part.split(': ');
    if (!PARTS[name]) throw new Error(`there is no generated part ${name}`);
    return `<!-- generated: ${part} -->\n${PARTS[name](tables, specifications, group)}\n<!-- end -->`;
  });
