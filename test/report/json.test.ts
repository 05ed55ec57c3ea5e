/** The JSON form against its published schema. */
import { readFile } from 'node:fs/promises';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { harOf, harReport } from '../support/har.ts';
import { sharedServer, type TestServer } from '../support/server.ts';
import { BROKEN_RESPONSE, factsOf, KINDS, reportOfVerdict, UNJUDGED } from './clients.ts';

type Node = { [name: string]: unknown };

let server: TestServer;
let validate: ValidateFunction;

beforeAll(async () => {
  server = await sharedServer();
  const schema = JSON.parse(await readFile('src/generated/report.schema.json', 'utf8'));
  const ajv = new Ajv2020({ allErrors: true, strict: true, strictTypes: false });
  ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(ajv.validateSchema(schema)).toBe(true);
  validate = ajv.compile(closed(schema, schema) as Node);
});

/** The schema with no room for members that it does not describe; a part that others build on stays open. */
function closed(schema: unknown, root: Node): unknown {
  if (Array.isArray(schema)) return schema.map((each) => closed(each, root));
  if (typeof schema !== 'object' || schema === null) return schema;
  const node = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => {
      const isPart = name === 'allOf' || name === '$defs';
      return [name, isPart ? inside(value, root) : closed(value, root)];
    }),
  );
  return describesMembers(node, root) ? { ...node, unevaluatedProperties: false } : node;
}

/** The parts of an `allOf`, or definitions: they are closed where they are used. */
function inside(parts: unknown, root: Node): unknown {
  const open = (part: Node): Node => {
    const { unevaluatedProperties, ...rest } = closed(part, root) as Node;
    return rest;
  };
  if (Array.isArray(parts)) return parts.map(open);
  return Object.fromEntries(Object.entries(parts as Node).map(([name, part]) => [name, open(part as Node)]));
}

function describesMembers(node: Node, root: Node): boolean {
  if (typeof node['$ref'] === 'string') {
    const target = (root['$defs'] as Node)[node['$ref'].replace('#/$defs/', '')];
    return describesMembers(target as Node, root);
  }
  return node['type'] === 'object' || node['allOf'] !== undefined;
}

const problems = (report: unknown): unknown => (validate(report) ? [] : validate.errors);

describe('src/generated/report.schema.json', () => {
  it.each(Object.keys(KINDS))('describes every member of the report of a client that %s', async (kind) => {
    const client = await server.sandbox({ label: kind });
    await KINDS[kind]?.(client);
    expect(problems(await factsOf(client))).toEqual([]);
    expect(problems(await factsOf(client, true))).toEqual([]);
  });

  it('describes what the validator brings about', () => {
    expect(problems(JSON.parse(JSON.stringify(reportOfVerdict(BROKEN_RESPONSE))))).toEqual([]);
    expect(problems(JSON.parse(JSON.stringify(reportOfVerdict(UNJUDGED))))).toEqual([]);
  });

  it('describes the report on a HAR, which names the file', async () => {
    const har = Buffer.from(harOf('https://api.example.com/v1/pets?limit=500'));
    expect(problems((await harReport(har)).data)).toEqual([]);
  });

  it('rejects a report with a member too few, too many, or of another type', async () => {
    const client = await server.sandbox();
    await KINDS['breaks the specification']?.(client);
    const changes: ((report: Node) => unknown)[] = [
      (report) => delete report['incompleteReasons'],
      (report) => Object.assign(report, { verdict: 'maybe' }),
      (report) => Object.assign(report['totals'] as Node, { more: 1 }),
      (report) => Object.assign((report as never as Any).operations[0].violations[0], { more: 1 }),
      (report) => Object.assign((report as never as Any).operations[0].violations[0], { count: 0 }),
      (report) => Object.assign((report as never as Any).operations[0].responses[0], { seen: '1' }),
    ];
    for (const change of changes) {
      const report = (await factsOf(client)) as unknown as Node;
      change(report);
      expect(problems(report), String(change)).not.toEqual([]);
    }
  });
});

// biome-ignore lint/suspicious/noExplicitAny: a report that is broken on purpose
type Any = any;
