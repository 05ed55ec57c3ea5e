// The page of the control API, from their specification: credentials, input and output of each call. A step of
// generate.mjs.

/** The page's names for the security schemes of an operation. */
const CALLERS = { sandboxKey: 'a key', adminToken: 'the admin token' };

/** The text of docs/control-api.md. @param specification spec/control-api.yaml, parsed */
export const controlsPage = (specification) => {
  const base = specification.servers[0].url;
  const resolve = ({ $ref, ...rest }) =>
    $ref === undefined
      ? rest
      : resolve(
          $ref
            .slice(2)
            .split('/')
            .reduce((node, name) => node[name], specification),
        );
  const operations = Object.entries(specification.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, ...operation })),
  );

  /** The type of a value, as text. */
  const typeOf = (node) => {
    const schema = resolve(node);
    if (schema.enum) return schema.enum.map((value) => code(JSON.stringify(value).replaceAll('"', ''))).join(', ');
    const variants = schema.anyOf ?? schema.oneOf;
    if (variants) return variants.map(typeOf).join(' or ');
    if (schema.type === 'array') return `list of ${schema.items ? typeOf(schema.items) : 'anything'}`;
    const name = [schema.type ?? 'anything'].flat().join(' or ');
    const format = schema.format ? ` (${schema.format})` : '';
    return `${name}${format}${rangeOf(schema)}`;
  };

  const fieldTable = (node) => {
    const { properties = {}, required = [] } = resolve(node);
    const rows = Object.entries(properties).map(([name, field]) => {
      const needed = required.includes(name) ? 'yes' : '';
      return [code(name), typeOf(field), needed, field.description ?? resolve(field).description ?? ''];
    });
    return rows.length === 0 ? '' : table(['field', 'type', 'always', 'what it is'], rows);
  };

  const parameterTable = ({ parameters = [] }) => {
    const rows = parameters
      .map(resolve)
      // Described once, at the top of the page.
      .filter(({ name }) => name !== 'sandbox')
      .map(({ name, in: place, required, schema, description = '' }) => [
        code(name),
        place,
        typeOf(schema),
        required ? 'yes' : '',
        description,
      ]);
    return rows.length === 0 ? '' : table(['parameter', 'in', 'type', 'needed', 'what it is'], rows);
  };

  const bodyPart = ({ requestBody }) => {
    if (requestBody === undefined) return '';
    const { content, description } = resolve(requestBody);
    const [[type, { schema, examples = {} }]] = Object.entries(content);
    const isJson = type === 'application/json';
    const shown = Object.values(examples).map(
      ({ summary, value }) => `${summary}:\n\n${fence('json', isJson ? JSON.stringify(value) : value.trimEnd())}`,
    );
    return blocks(
      `**Body**${description ? `. ${oneLine(description)}` : ''}`,
      !isJson && `${code(type)}: ${oneLine(schema.description)}`,
      fieldTable(schema).replace('| always |', '| needed |'),
      ...shown,
    );
  };

  /** The operation's own responses, and the statuses of responses shared by many operations. */
  const answersPart = ({ responses }) => {
    const all = Object.entries(responses);
    const shared = all.filter(([status, { $ref }]) => $ref !== undefined && status !== 'default');
    const own = all.filter(([, { $ref }]) => $ref === undefined);
    return blocks(
      table(
        ['response', 'when', 'body'],
        own.map(([status, { description, content }]) => [status, description, bodiesOf(content)]),
      ),
      shared.length > 0 && `Also ${shared.map(([status]) => status).join(', ')}, as [everywhere](#errors).`,
    );
  };

  const bodiesOf = (content = {}) =>
    Object.entries(content)
      .map(([type, { schema }]) => `${code(type)}${nameOf(schema)}`)
      .join(', ');

  const errorsPart = () => {
    const statusOf = (name) =>
      operations.flatMap(({ responses }) => Object.entries(responses)).find(([, { $ref }]) => $ref === name)?.[0];
    const rows = Object.entries(specification.components.responses).map(([name, { description }]) => [
      statusOf(`#/components/responses/${name}`),
      description,
    ]);
    return blocks(
      '## Errors',
      `The body is ${nameOf({ $ref: '#/components/schemas/Error' }).slice(2)}.`,
      table(['response', 'when'], rows),
    );
  };

  /** The fields of a named body are listed once, at the end of the page. */
  const nameOf = (schema) => {
    const name = schema?.$ref?.split('/').at(-1);
    return name === undefined ? '' : `: [${name}](#${name.toLowerCase()}-body)`;
  };

  const headingOf = ({ method, path }) => `${method} ${base}${path === '/' ? '' : path}`;

  const contentsPart = () => {
    const rows = specification.tags.flatMap(({ name }) =>
      operations
        .filter(({ tags }) => tags.includes(name))
        .map((operation) => {
          const heading = headingOf(operation);
          return [`[${name}](#${slugOf(name)})`, `[${code(heading)}](#${slugOf(heading)})`, operation.summary];
        }),
    );
    return blocks('## Contents', table(['section', 'request', 'what it does'], rows));
  };

  const operationPart = (operation) =>
    blocks(
      `### ${headingOf(operation)}`,
      `${operation.summary}. ${callersOf(operation.security)}`,
      operation.description?.trim(),
      parameterTable(operation),
      bodyPart(operation),
      answersPart(operation),
    );

  const tagPart = ({ name, description }) =>
    blocks(`## ${name}`, description, ...operations.filter(({ tags }) => tags.includes(name)).map(operationPart));

  const named = new Set(
    operations
      .flatMap(({ responses }) => Object.values(responses).map(resolve))
      .flatMap(({ content = {} }) => Object.values(content).map(({ schema }) => schema?.$ref?.split('/').at(-1))),
  );
  const schemaPart = ([name, schema]) => blocks(`### ${name} body`, schema.description?.trim(), fieldTable(schema));

  return `${blocks(
    '<!-- Generated from spec/control-api.yaml by scripts/generate.mjs; change the specification instead. -->',
    '# The control API',
    'Create keys, seed data, set the clock, make requests fail, and read what your client sent. In a clone, `npm start` starts a server, and\n' +
      "`alias petstore-sandbox='npx petstore-sandbox'` makes the command available in a second terminal; [Install](install.md) has the\n" +
      'other ways. With a server running:',
    fence('sh', EXAMPLE),
    specification.info.description.trim(),
    'The specification itself is [spec/control-api.yaml](../spec/control-api.yaml); a running server shows it at `/_sandbox/docs`.',
    contentsPart(),
    ...specification.tags.map(tagPart),
    errorsPart(),
    '## Bodies of responses',
    ...Object.entries(specification.components.schemas)
      .filter(([name]) => named.has(name))
      .map(schemaPart),
  )}\n`;
};

/** What the page begins with. */
const EXAMPLE = `URL=\${URL:-http://127.0.0.1:4020}
KEY=$(petstore-sandbox keys create --quiet --url $URL)
curl -s -w '\\n' -H "Authorization: Bearer $KEY" $URL/_sandbox/clock`;

/** The anchor of a heading, as GitHub makes it. */
const slugOf = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const callersOf = (security) => {
  const ways = security.flatMap((each) => {
    const names = Object.keys(each);
    return names.length === 0 ? [undefined] : names.map((name) => CALLERS[name]);
  });
  const needed = ways.filter((way) => way !== undefined);
  if (needed.length === 0) return 'Open to everyone.';
  return ways.includes(undefined) ? `Open; takes ${needed.join(' or ')}.` : `Needs ${needed.join(' or ')}.`;
};

const LONGEST_PATTERN = 40;

const rangeOf = ({ minimum, maximum, minLength, maxLength, pattern, format }) => {
  const bounds = [];
  if (minimum !== undefined || maximum !== undefined) bounds.push(`${minimum ?? '…'} to ${maximum ?? '…'}`);
  if (minLength !== undefined || maxLength !== undefined)
    bounds.push(`${minLength ?? 0} to ${maxLength ?? '…'} characters`);
  // A format is shorter; a long pattern says less than the description.
  if (pattern !== undefined && format === undefined && pattern.length <= LONGEST_PATTERN) bounds.push(code(pattern));
  return bounds.length === 0 ? '' : `, ${bounds.join(', ')}`;
};

const code = (text) => `\`${text}\``;
const oneLine = (text) => text.trim().replace(/\s*\n\s*/g, ' ');
const cell = (text) => oneLine(String(text)).replaceAll('|', '\\|');
const row = (cells) => `| ${cells.map(cell).join(' | ')} |`.replace(/ {2,}/g, ' ');
const table = (head, rows) => [row(head), `|${'---|'.repeat(head.length)}`, ...rows.map(row)].join('\n');
const fence = (language, text) => `\`\`\`${language}\n${text}\n\`\`\``;
const blocks = (...parts) => parts.filter(Boolean).join('\n\n');
