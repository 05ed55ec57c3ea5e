/** The reference of an API: its operations as HTML, and as sections that the search finds, from its specification. */
import { readFileSync } from 'node:fs';
import { blockOf, escaped, inlineOf, plain, proseOf } from './markdown.mjs';
import { SchemaWriter } from './schema.mjs';

const specificationAt = (name) =>
  JSON.parse(readFileSync(new URL(`../../src/base/generated/${name}.json`, import.meta.url), 'utf8'));

/** By the names of their files in `spec/`. */
const SPECIFICATIONS = {
  'openapi.yaml': specificationAt('petstore'),
  'control-api.yaml': specificationAt('control-api'),
};

/**
 * The reference of one API as HTML.
 * @param {string} file of the specification in `spec/` @param {string} [group] the name of a tag: only its operations
 */
export function referenceOf(file, group) {
  const operations = operationsOf(file, group);
  return [overviewOf(operations), ...operations.map(operationHtml)].join('\n');
}

/** Its headings, with their words for the search. */
export const referenceSectionsOf = (file, group) => operationsOf(file, group).map(sectionOf);

function operationsOf(file, group) {
  const { paths, components, ...specification } = SPECIFICATIONS[file];
  const schemas = new SchemaWriter(components.schemas);
  const inPlace = (each, shared) => ('$ref' in each ? shared[`${each.$ref}`.replace(/^.*\//, '')] : each);
  const operations = Object.entries(paths).flatMap(([at, item]) =>
    Object.entries(item).map(([method, described]) => ({
      ...described,
      method: method.toUpperCase(),
      path: `${specification.servers[0]?.url}${at === '/' ? '' : at}`,
      security: described.security ?? specification.security ?? [],
      responses: Object.fromEntries(
        Object.entries(described.responses).map(([status, each]) => [status, inPlace(each, components.responses)]),
      ),
      parameters: (described.parameters ?? []).map((each) => inPlace(each, components.parameters ?? {})),
      schemas,
    })),
  );
  return operations.filter(({ tags }) => group === undefined || tags.includes(group));
}

const sectionOf = ({ operationId, summary, method, path, description, parameters }) => ({
  depth: 3,
  anchor: operationId,
  heading: summary,
  text: plain([method, path, operationId, description, ...parameters.map(({ name }) => name)].join(' ')),
});

/** The same table as in the Markdown, with links. */
function overviewOf(operations) {
  const rows = operations.map(
    ({ operationId, method, path, summary, deprecated }) =>
      `<tr><td><a href="#${operationId}"><code>${method} ${escaped(path)}</code></a></td>` +
      `<td>${escaped(summary)}${deprecated ? ' (deprecated)' : ''}</td></tr>`,
  );
  return `<div class="table" tabindex="0"><table><thead><tr><th>request</th><th>what it does</th></tr></thead><tbody>${rows.join('\n')}</tbody></table></div>`;
}

function operationHtml(operation) {
  const { operationId, method, path, summary, description, security } = operation;
  const text = [
    removalOf(operation),
    proseOf(description),
    `<p class="hint">${credentialsOf(security)}</p>`,
    ...parametersOf(operation),
    bodyOf(operation),
  ];
  const samples = [
    blockOf(curlOf(operation), 'sh'),
    isOfPetstore(operation)
      ? `<p><a class="server" href="{{root}}#/live/new/${operationId}">Send it from the dashboard</a></p>`
      : '',
    ...Object.values(operation.requestBody?.content ?? {}).map(examplesOf),
  ];
  return [
    `<section class="operation" aria-labelledby="${operationId}">`,
    `<h3 id="${operationId}"><a href="#${operationId}">${escaped(summary)}</a></h3>`,
    `<p class="call"><code><b>${method}</b> ${escaped(path)}</code></p>`,
    pairOf(text.join('\n'), samples.join('\n')),
    '<h4>Responses</h4>',
    ...responsesOf(operation),
    '</section>',
  ].join('\n');
}

/** The dashboard sends these. */
const isOfPetstore = ({ path }) => path.startsWith('/v1/');

/** Text, with what to copy next to it. */
const pairOf = (words, samples) => `<div class="pair"><div>${words}</div><div class="samples">${samples}</div></div>`;

function removalOf({ deprecated, 'x-sunset': sunset }) {
  if (!deprecated) return '';
  return `<p class="notice"><strong>Deprecated</strong>${sunset === undefined ? '' : `, and removed on ${sunset}: from that day on, the response is 410`}.</p>`;
}

const CALLERS = {
  apiKey: 'a key',
  sandboxKey: 'a key',
  adminToken: 'the admin token',
};

/** Whose credential a request needs, in a sentence. */
function credentialsOf(security) {
  const names = security.flatMap((each) => Object.keys(each)).map((name) => CALLERS[name]);
  if (names.length === 0) return 'Needs no key.';
  const isOptional = security.some((each) => Object.keys(each).length === 0);
  return isOptional ? `Takes ${names.join(' or ')}, and works without.` : `Needs ${names.join(' or ')}.`;
}

const PLACES = { path: 'Path parameters', query: 'Query parameters', header: 'Headers' };

const parametersOf = ({ parameters, schemas }) =>
  Object.entries(PLACES).flatMap(([place, title]) => {
    const here = parameters.filter((each) => each.in === place);
    if (here.length === 0) return [];
    const properties = Object.fromEntries(
      here.map(({ name, schema, description, examples }) => {
        const [example] = Object.values(examples ?? {});
        return [name, { ...schema, description, ...(example && { examples: [example.value] }) }];
      }),
    );
    const required = here.filter((each) => each.required).map(({ name }) => name);
    return [`<h4>${title}</h4>`, schemas.fieldsOf({ type: 'object', properties, required })];
  });

function bodyOf({ requestBody, schemas }) {
  if (!requestBody) return '';
  const { description = '', required, content } = requestBody;
  return [
    '<h4>Request body</h4>',
    `<p>${required ? '' : 'Optional. '}${inlineOf(description)}</p>`,
    ...contentLines(content, schemas),
  ].join('\n');
}

/** The fields of each media type; types with the same schema share them. */
function contentLines(content, schemas) {
  const groups = new Map();
  for (const [type, { schema = {} }] of Object.entries(content)) {
    const key = JSON.stringify(schema);
    groups.set(key, [schema, [...(groups.get(key)?.[1] ?? []), type]]);
  }
  return [...groups.values()].map(([schema, types]) => {
    const title = `<p class="media">${typeNames(types)} <span class="type">${schemas.typeOf(schema)}</span></p>`;
    return schemas.isSimple(schema) ? title : `${title}\n${schemas.fieldsOf(schema)}`;
  });
}

const examplesOf = ({ examples = {} }) =>
  Object.values(examples)
    .map(({ summary = 'Example', value }, at) => {
      const text = sampleText(value).trimEnd();
      const block = blockOf(text, typeof value === 'string' ? 'text' : 'json');
      return `<details class="example"${at === 0 ? ' open' : ''}><summary>${escaped(summary)}</summary>${block}</details>`;
    })
    .join('\n');

const sampleText = (value) => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));

function responsesOf({ responses, schemas }) {
  /** Which response has shown the fields of a schema: most errors have the same. */
  const shown = new Map();
  return Object.entries(responses).map(([key, response]) => {
    const status = key === 'default' ? 'other' : key;
    const { description = '', content = {} } = response;
    const schema = JSON.stringify(Object.values(content).map((media) => media.schema));
    const before = shown.get(schema);
    shown.set(schema, before ?? status);
    const words = before === undefined ? contentLines(content, schemas) : [sameAs(before, content)];
    const samples = Object.values(content).map(examplesOf);
    const parts = Object.keys(content).length > 0 ? pairOf(words.join('\n'), samples.join('\n')) : NO_BODY;
    return [
      `<details class="response"${/^2/.test(status) ? ' open' : ''}>`,
      `<summary><code>${status}</code> ${inlineOf(description.trim())}</summary>${parts}</details>`,
    ].join('\n');
  });
}

const NO_BODY = '<p class="hint">Without a body.</p>';

const sameAs = (status, content) =>
  `<p class="media">${typeNames(Object.keys(content))} <span class="type">the same fields as ${status}</span></p>`;

const typeNames = (types) => types.map((type) => `<code>${escaped(type)}</code>`).join(', ');

/** A line that sends the operation, with its first example. */
function curlOf(operation) {
  const { method, parameters, requestBody, responses, security } = operation;
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const [example] = Object.values(media?.examples ?? {});
  const types = Object.keys(responses['200']?.content ?? {});
  const isStream = types.includes('text/event-stream');
  const usual = media ? 'POST' : 'GET';
  const options = [
    isStream && types.length === 1 ? '-N' : '',
    method === usual ? '' : `-X ${method}`,
    keyOf(security),
    isStream && types.length > 1 ? `-H 'Accept: ${types.join(', ')}'` : '',
    type === undefined ? '' : `-H 'Content-Type: ${type}'`,
    type === undefined ? '' : dataOf(type, example?.value),
  ].filter((option) => option !== '');
  const filled = parameters.filter(({ required }) => required);
  const sampleOf = ({ examples, schema }) =>
    encodeURIComponent(String(Object.values(examples ?? {})[0]?.value ?? schema.examples?.[0]));
  const path = filled.reduce((text, each) => text.replace(`{${each.name}}`, () => sampleOf(each)), operation.path);
  const query = filled.filter((each) => each.in === 'query').map((each) => `${each.name}=${sampleOf(each)}`);
  const target = `'http://127.0.0.1:4020${path}${query.length > 0 ? `?${query.join('&')}` : ''}'`;
  return `curl ${[...options, target].join(' \\\n  ')}`;
}

function keyOf(security) {
  const schemes = security.map((each) => Object.keys(each)[0]);
  if (schemes.length === 0 || schemes.includes(undefined)) return '';
  return `-H "Authorization: Bearer $${schemes[0] === 'adminToken' ? 'ADMIN_TOKEN' : 'SANDBOX_KEY'}"`;
}

/** Of a body that a line has in itself. */
const MOST_CHARACTERS = 300;

function dataOf(type, value) {
  const text = JSON.stringify(value);
  if (type !== 'application/json' || text.length > MOST_CHARACTERS)
    return `--data-binary @body.${type.replace('application/', '')}`;
  return `-d '${text.replaceAll("'", String.raw`'\''`)}'`;
}
