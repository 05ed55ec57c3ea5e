/** The reference of an API: its operations as HTML, and as sections that the search finds, from its specification. */
import controlApi from '../../base/generated/control-api.json' with { type: 'json' };
import { operations } from '../../base/generated/facts.ts';
import petstore from '../../base/generated/petstore.json' with { type: 'json' };
import { blockOf, escaped, inlineOf, plain, proseOf, type Section } from './markdown.ts';
import { type SchemaObject, SchemaWriter } from './schema.ts';

interface ExampleObject {
  readonly summary?: string;
  readonly value: unknown;
}
interface Media {
  readonly schema?: SchemaObject;
  readonly examples?: Readonly<Record<string, ExampleObject>>;
}
type ContentObject = Readonly<Record<string, Media>>;

interface ParameterObject {
  readonly name: string;
  readonly in: string;
  readonly description: string;
  readonly required: boolean;
  readonly schema: SchemaObject;
  readonly examples?: Readonly<Record<string, ExampleObject>>;
}

interface ResponseObject {
  readonly description?: string;
  readonly content?: ContentObject;
}

type Security = readonly Readonly<Record<string, unknown>>[];

interface DescribedOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly deprecated?: boolean;
  readonly 'x-sunset'?: string;
  readonly security?: Security;
  readonly parameters?: readonly (ParameterObject | { readonly $ref: string })[];
  readonly requestBody?: { readonly description?: string; readonly required: boolean; readonly content: ContentObject };
  readonly responses: Readonly<Record<string, ResponseObject | { readonly $ref: string }>>;
}

interface OpenApiObject {
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly security?: Security;
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: {
    readonly parameters?: Readonly<Record<string, ParameterObject>>;
    readonly responses: Readonly<Record<string, ResponseObject>>;
    readonly schemas: Readonly<Record<string, SchemaObject>>;
  };
}

interface OperationObject extends Omit<DescribedOperation, 'parameters' | 'responses'> {
  readonly parameters: readonly ParameterObject[];
  readonly method: string;
  /** With the path of the base address: `/v1/pets`. */
  readonly path: string;
  readonly security: Security;
  readonly responses: Readonly<Record<string, ResponseObject>>;
  readonly schemas: SchemaWriter;
}

/** By the names of their files in `spec/`. */
const SPECIFICATIONS: Readonly<Record<string, OpenApiObject>> = {
  'openapi.yaml': petstore as unknown as OpenApiObject,
  'control-api.yaml': controlApi as unknown as OpenApiObject,
};

/**
 * The reference of one API as HTML, with `{{address}}` and `{{root}}` where the server's address and the way from the page to
 * its root belong. It yields after each operation, because all of them take a tenth of a second.
 * @param file of the specification in `spec/` @param group the name of a tag: only its operations
 */
export function* referenceOf(file: string, group?: string): Generator<void, string> {
  const groups = groupsOf(file, group);
  const html = [overviewOf(groups.flatMap(({ own }) => own))];
  for (const { name, description, own } of groups) {
    if (group === undefined)
      html.push(`<h2 id="${name.toLowerCase()}">${escaped(name)}</h2>\n<p>${inlineOf(description)}</p>`);
    for (const operation of own) {
      html.push(operationHtml(operation));
      yield;
    }
  }
  return html.join('\n');
}

/** Its headings, with their words for the search. */
export const referenceSectionsOf = (file: string, group?: string): readonly Section[] =>
  groupsOf(file, group).flatMap(({ name, description, own }) => [
    ...(group === undefined ? [{ depth: 2, anchor: name.toLowerCase(), heading: name, text: plain(description) }] : []),
    ...own.map(sectionOf),
  ]);

/** @throws {Error} for another file: a page of the documentation names it */
function specificationOf(file: string): OpenApiObject {
  const specification = SPECIFICATIONS[file];
  if (!specification) throw new Error(`there is no specification ${file}`);
  return specification;
}

/** The tags with their operations. @param group the name of one of them */
function groupsOf(file: string, group: string | undefined) {
  const specification = specificationOf(file);
  const operations = operationsOf(specification);
  return specification.tags
    .filter(({ name }) => group === undefined || name === group)
    .map((tag) => ({ ...tag, own: operations.filter(({ tags }) => tags.includes(tag.name)) }));
}

function operationsOf({ paths, components, ...specification }: OpenApiObject): readonly OperationObject[] {
  const schemas = new SchemaWriter(components.schemas);
  const inPlace = <T extends object>(each: T | { readonly $ref: string }, shared: Readonly<Record<string, T>>): T =>
    '$ref' in each ? (shared[`${each.$ref}`.replace(/^.*\//, '')] as T) : each;
  return Object.entries(paths).flatMap(([at, item]) =>
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
}

const sectionOf = ({ operationId, summary, method, path, description, parameters }: OperationObject): Section => ({
  depth: 3,
  anchor: operationId,
  heading: summary,
  text: plain([method, path, operationId, description, ...parameters.map(({ name }) => name)].join(' ')),
});

/** The same table as in the Markdown, with links. */
function overviewOf(operations: readonly OperationObject[]): string {
  const rows = operations.map(
    ({ operationId, method, path, summary, deprecated }) =>
      `<tr><td><a href="#${operationId}"><code>${method} ${escaped(path)}</code></a></td>` +
      `<td>${escaped(summary)}${deprecated ? ' (deprecated)' : ''}</td></tr>`,
  );
  return `<div class="table" tabindex="0"><table><thead><tr><th>request</th><th>what it does</th></tr></thead><tbody>${rows.join('\n')}</tbody></table></div>`;
}

function operationHtml(operation: OperationObject): string {
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
const isOfPetstore = ({ operationId }: OperationObject): boolean => operationId in operations;

/** Text, with what to copy next to it. */
const pairOf = (words: string, samples: string): string =>
  `<div class="pair"><div>${words}</div><div class="samples">${samples}</div></div>`;

function removalOf({ deprecated, 'x-sunset': sunset }: OperationObject): string {
  if (!deprecated) return '';
  return `<p class="notice"><strong>Deprecated</strong>${sunset === undefined ? '' : `, and removed on ${sunset}: from that day on, the response is 410`}.</p>`;
}

const CALLERS: Readonly<Record<string, string>> = {
  apiKey: 'a key',
  sandboxKey: 'a key',
  adminToken: 'the admin token',
};

/** Whose credential a request needs, in a sentence. */
function credentialsOf(security: Security): string {
  const names = security.flatMap((each) => Object.keys(each)).map((name) => CALLERS[name]);
  if (names.length === 0) return 'Needs no key.';
  const isOptional = security.some((each) => Object.keys(each).length === 0);
  return isOptional ? `Takes ${names.join(' or ')}, and works without.` : `Needs ${names.join(' or ')}.`;
}

const PLACES = { path: 'Path parameters', query: 'Query parameters', header: 'Headers' } as const;

const parametersOf = ({ parameters, schemas }: OperationObject): readonly string[] =>
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

function bodyOf({ requestBody, schemas }: OperationObject): string {
  if (!requestBody) return '';
  const { description = '', required, content } = requestBody;
  return [
    '<h4>Request body</h4>',
    `<p>${required ? '' : 'Optional. '}${inlineOf(description)}</p>`,
    ...contentLines(content, schemas),
  ].join('\n');
}

/** The fields of each media type; types with the same schema share them. */
function contentLines(content: ContentObject, schemas: SchemaWriter): readonly string[] {
  const groups = new Map<string, [schema: SchemaObject, types: string[]]>();
  for (const [type, { schema = {} }] of Object.entries(content)) {
    const key = JSON.stringify(schema);
    groups.set(key, [schema, [...(groups.get(key)?.[1] ?? []), type]]);
  }
  return [...groups.values()].map(([schema, types]) => {
    const title = `<p class="media">${typeNames(types)} <span class="type">${schemas.typeOf(schema)}</span></p>`;
    return schemas.isSimple(schema) ? title : `${title}\n${schemas.fieldsOf(schema)}`;
  });
}

const examplesOf = ({ examples = {} }: Media): string =>
  Object.values(examples)
    .map(({ summary = 'Example', value }, at) => {
      const text = sampleText(value).trimEnd();
      const block = blockOf(text, typeof value === 'string' ? 'text' : 'json');
      const isShort = at === 0 && text.split('\n').length <= MOST_LINES;
      return `<details class="example"${isShort ? ' open' : ''}><summary>${escaped(summary)}</summary>${block}</details>`;
    })
    .join('\n');

/** Of an example that is shown at once. */
const MOST_LINES = 30;

const sampleText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));

function responsesOf({ responses, schemas }: OperationObject): readonly string[] {
  /** Which response has shown the fields of a schema: most errors have the same. */
  const shown = new Map<string, string>();
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

const sameAs = (status: string, content: ContentObject): string =>
  `<p class="media">${typeNames(Object.keys(content))} <span class="type">the same fields as ${status}</span></p>`;

const typeNames = (types: readonly string[]): string => types.map((type) => `<code>${escaped(type)}</code>`).join(', ');

/** A line that sends the operation, with its first example. */
function curlOf(operation: OperationObject): string {
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
  const sampleOf = ({ examples, schema }: ParameterObject): string =>
    encodeURIComponent(String(Object.values(examples ?? {})[0]?.value ?? schema.examples?.[0]));
  const path = filled.reduce((text, each) => text.replace(`{${each.name}}`, () => sampleOf(each)), operation.path);
  const query = filled.filter((each) => each.in === 'query').map((each) => `${each.name}=${sampleOf(each)}`);
  const target = `'{{address}}${path}${query.length > 0 ? `?${query.join('&')}` : ''}'`;
  return `curl ${[...options, target].join(' \\\n  ')}`;
}

function keyOf(security: Security): string {
  const schemes = security.map((each) => Object.keys(each)[0]);
  if (schemes.length === 0 || schemes.includes(undefined)) return '';
  return `-H "Authorization: Bearer $${schemes[0] === 'adminToken' ? 'ADMIN_TOKEN' : 'SANDBOX_KEY'}"`;
}

/** Of a body that a line has in itself. */
const MOST_CHARACTERS = 300;

function dataOf(type: string, value: unknown): string {
  const text = JSON.stringify(value);
  if (type !== 'application/json' || text.length > MOST_CHARACTERS)
    return `--data-binary @body.${type.replace('application/', '')}`;
  return `-d '${text.replaceAll("'", String.raw`'\''`)}'`;
}
