/** The reference of both APIs: it says all that the specifications say, and its lines work. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { SHOWN_ADDRESS } from '../../docs/pages.ts';
import { newFolder } from '../../support/folder.ts';
import { sharedServer } from '../../support/server.ts';

type Node = { readonly [name: string]: unknown };
type Nodes = Readonly<Record<string, Node>>;

const server = await sharedServer();

const SIGNS: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', amp: '&', '#39': "'", '#x27': "'" };
const unescaped = (html: string): string =>
  html.replaceAll(/&(lt|gt|quot|amp|#39|#x27);/g, (_, name) => SIGNS[name] ?? '');

/** Only letters, digits and signs: marks of Markdown and spaces differ between a specification and its page. */
const bare = (text: unknown): string =>
  String(text)
    .replaceAll(/^\s*- /gm, '')
    .replaceAll(/[`*\s]/g, '')
    .replaceAll(SHOWN_ADDRESS, server.url);
const bareHtml = (html: string): string => bare(unescaped(html.replaceAll(/<[^>]+>/g, '')));

const pageOf = async (name: string, of = server): Promise<string> =>
  (await of.client().get(`/docs/reference/${name}`, { accept: 'text/html' })).text;
const withoutColors = (html: string): string => html.replaceAll(/<\/?span[^>]*>/g, '');

function follow(specification: Node, node: Node): Node {
  if (typeof node['$ref'] !== 'string') return node;
  const [, ...names] = node['$ref'].split('/');
  return names.reduce((at, name) => at[name] as Node, specification);
}

const SAID = ['enum', 'const', 'default', 'pattern', 'minimum', 'maximum', 'minLength', 'maxLength', 'maxItems'];
const INNER = ['items', 'contentSchema', 'additionalProperties'];

const fieldsIn = (schema: Node | undefined): Nodes => (schema?.['properties'] ?? {}) as Nodes;

/**
 * What a schema says of values: names, bounds and words, its own and those of all schemas in it.
 * @param over the schema around it: fields that it describes again are described only there
 */
function* saidBy(specification: Node, given: Node, seen = new Set<Node>(), over?: Node): Generator<unknown> {
  const schema = follow(specification, given);
  if (seen.has(schema)) return;
  seen.add(schema);
  for (const keyword of SAID) yield* [schema[keyword] ?? []].flat();
  for (const [name, field] of Object.entries(fieldsIn(schema))) {
    const above = fieldsIn(over)[name];
    yield name;
    if (above?.['description'] === undefined && above?.['anyOf'] === undefined)
      yield field['description'] ?? follow(specification, field)['description'] ?? '';
    yield* saidBy(specification, field, seen, above);
  }
  const inner = [...INNER.map((name) => schema[name]), schema['anyOf']].flat();
  for (const each of inner) if (typeof each === 'object') yield* saidBy(specification, each as Node, seen);
  for (const part of (schema['allOf'] ?? []) as Node[]) yield* saidBy(specification, part, seen, schema);
}

function* saidByContent(specification: Node, content: Nodes = {}): Generator<unknown> {
  for (const [type, { schema, examples = {} }] of Object.entries(content)) {
    yield type;
    yield* saidBy(specification, schema as Node);
    for (const { summary, value } of Object.values(examples as Nodes))
      yield* [summary, typeof value === 'string' ? value : JSON.stringify(value)];
  }
}

describe.each([
  ['openapi.yaml', () => ['petstore-api.md'], 3],
  ['control-api.yaml', (names: string[]) => names.map((name) => `control-api/${name.toLowerCase()}.md`), 45],
])('the reference of %s', async (file, pagesFor, least) => {
  const specification: Node = parse(await readFile(`spec/${file}`, 'utf8'), { maxAliasCount: -1 });
  const [{ url: base }] = specification['servers'] as [{ url: string }];
  const operations = Object.entries(specification['paths'] as Nodes).flatMap(([path, item]) =>
    Object.entries(item as Nodes).map(([method, operation]) => {
      return { id: String(operation['operationId']), call: `${method.toUpperCase()} ${base}${path}`, operation };
    }),
  );
  const pages = pagesFor((specification['tags'] as { name: string }[]).map(({ name }) => name));
  const parts = (await Promise.all(pages.map((page) => pageOf(page)))).flatMap((html) =>
    html.split('<section class="operation" aria-labelledby="').slice(1),
  );
  const sections = new Map(parts.map((html) => [html.slice(0, html.indexOf('"')), html.split('</section>')[0] ?? '']));

  it('has each operation once', () => {
    expect(operations.length).toBeGreaterThanOrEqual(least);
    expect([...sections.keys()].sort()).toEqual(operations.map(({ id }) => id).sort());
  });

  it.each(operations)('says all of $id, without a reference to follow', ({ id, call, operation }) => {
    const html = sections.get(id) ?? '';
    expect(html).toContain(`<h3 id="${id}">`);
    expect(html.includes('Deprecated</strong>, and removed on 2030-12-05')).toBe(operation['deprecated'] === true);
    const said: unknown[] = [call.replace(/\/$/, ''), operation['summary'], operation['description']];
    for (const parameter of ((operation['parameters'] ?? []) as Node[]).map((each) => follow(specification, each)))
      said.push(parameter['name'], parameter['description'], ...saidBy(specification, parameter['schema'] as Node));
    said.push(...saidByContent(specification, (operation['requestBody'] as Node | undefined)?.['content'] as Nodes));
    for (const [status, response] of Object.entries(operation['responses'] as Nodes)) {
      const { description, content } = follow(specification, response);
      said.push(`${status === 'default' ? 'other' : status} ${description}`);
      said.push(...saidByContent(specification, content as Nodes));
    }
    const words = bareHtml(html);
    expect(said.filter((each) => !words.includes(bare(each)))).toEqual([]);
  });

  it.each(operations)('has a curl line for $id, which the server understands', async ({ id, operation }) => {
    const html = withoutColors(sections.get(id) ?? '');
    const line = unescaped(/<code data-language="sh">(curl [\s\S]*?)<\/code>/.exec(html)?.[1] ?? '');
    expect(line).toContain(`'${server.url}/`);
    const [media] = Object.values(((operation['requestBody'] as Node | undefined)?.['content'] ?? {}) as Nodes);
    const example = Object.values((media?.['examples'] ?? {}) as Nodes)[0]?.['value'] ?? null;
    const [, name = 'none'] = /@(body\.\w+)/.exec(line) ?? [];
    const folder = await newFolder({ [name]: typeof example === 'string' ? example : JSON.stringify(example) });
    const env = { ...process.env, SANDBOX_KEY: (await server.sandbox()).key, ADMIN_TOKEN: server.adminToken };
    // A stream has no end.
    const seconds = line.startsWith('curl -N') ? '-m 2' : '';
    const command = `${line.replace('curl ', `curl -s -o out ${seconds} -w '%{http_code}' `)} || [ $? = 28 ]`;
    const { stdout } = await promisify(execFile)('sh', ['-c', command], { cwd: folder, env });
    // What the examples name may not be there, and nothing is as they expect.
    expect(stdout).toMatch(/^(?:2\d\d|404|409)$/);
  });
});

it('a program gets a table of the operations in its place', async () => {
  const { text } = await server.client().get('/docs/reference/petstore-api.md');
  expect(text).toContain('|`POST /v1/pets`|add a pet|\n');
  expect(text).not.toContain('<section');
});
