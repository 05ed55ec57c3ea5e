// Generates the files that src/ needs from the two OpenAPI specifications: plain JSON, so that the start parses no
// YAML, types, and facts. `--check` writes nothing and fails if a file is stale.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { parse } from 'yaml';
import { controlChecksText, entryChecksText, fieldChecksText } from './generate-checks.mjs';
import { readTables, withParts } from './generate-docs.mjs';
import { compiledSchemasOf, factsText } from './generate-facts.mjs';
import { fixtureSchemaText, petSchemas, reportSchemaText, withCopies } from './generate-schemas.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Name of the generated files, and the specification they come from. */
const specifications = { petstore: 'spec/openapi.yaml', 'control-api': 'spec/control-api.yaml' };

const FIXTURE_SCHEMA = 'fixtures/fixture.schema.json';

const int64 = ts.factory.createKeywordTypeNode(ts.SyntaxKind.BigIntKeyword);

const typesOf = async (specification, source) => {
  // For a schema that requires one of several members, openapi-typescript would generate a union with `unknown`.
  const copy = JSON.parse(JSON.stringify(specification), (key, value) =>
    key === 'anyOf' && value.every((branch) => /^required(,properties)?$/.test(Object.keys(branch).join()))
      ? undefined
      : value,
  );
  const nodes = await openapiTS(copy, {
    immutable: true,
    // A JavaScript number has 53 of the 64 bits.
    transform: (schema) => (schema.type === 'integer' && schema.format === 'int64' ? int64 : undefined),
  });
  return `// Generated from ${source} by scripts/generate.mjs; change the specification instead.\n${astToString(nodes)}`;
};

/**
 * Numbers that would be rounded, and multiples that doubles do not tell apart: 1.15 is no multiple of 0.01 for any validator.
 * @param node of the specification, with integers as bigint
 */
const rejectInexact = (node, place = '#') => {
  if (typeof node !== 'object' || node === null) return;
  for (const [name, value] of Object.entries(node)) {
    const isBound = (name === 'minimum' && value === -(2n ** 63n)) || (name === 'maximum' && value === 2n ** 63n - 1n);
    const isRounded = typeof value === 'bigint' && !Number.isSafeInteger(Number(value)) && !isBound;
    const isInexact = name === 'multipleOf' && typeof value === 'number' && !Number.isInteger(value * 2 ** 20);
    if (isRounded || isInexact)
      throw new Error(`spec/openapi.yaml: ${place}/${name} is ${value}, which is not exact as a double`);
    rejectInexact(value, `${place}/${name}`);
  }
};

const read = (file) => readFile(path.join(root, file), 'utf8');

/** The files that follow from the specifications, as path → text. */
const fromSpecifications = async () => {
  const files = new Map();
  const tables = await readTables();
  const petstore = await read(specifications.petstore);
  rejectInexact(parse(petstore, { intAsBigInt: true }));
  const copied = petSchemas(parse(petstore));
  const names = Object.values(parse(petstore).paths).flatMap((item) =>
    Object.values(item).flatMap(({ operationId }) => operationId ?? []),
  );
  const controls = withCopies(await read(specifications['control-api']), petstore, copied, names, tables);
  files.set(specifications['control-api'], controls);
  const parsed = { petstore: parse(petstore), 'control-api': parse(controls) };
  for (const [name, source] of Object.entries(specifications)) {
    files.set(`src/base/generated/${name}.json`, `${JSON.stringify(parsed[name], null, 2)}\n`);
    files.set(`src/base/generated/${name}.d.ts`, await typesOf(parsed[name], source));
  }
  files.set('src/base/generated/facts.ts', factsText(parsed.petstore, parsed['control-api'], tables));
  const compiled = compiledSchemasOf(parsed.petstore, tables.isPlain);
  files.set('src/base/generated/field-checks.js', await fieldChecksText(compiled));
  files.set('src/base/generated/control-checks.js', await controlChecksText(parsed['control-api']));
  files.set('src/base/generated/report.schema.json', reportSchemaText(parsed['control-api']));
  files.set(FIXTURE_SCHEMA, fixtureSchemaText(await read(FIXTURE_SCHEMA), parsed.petstore));
  return files;
};

/** The checks and the parts of pages that follow from the code. */
const fromCode = async () => {
  const tables = await readTables();
  const parsed = {
    petstore: parse(await read(specifications.petstore)),
    controlApi: parse(await read(specifications['control-api'])),
  };
  const pages = (await readdir(path.join(root, 'docs'), { recursive: true })).filter((name) => name.endsWith('.md'));
  return [
    ['src/base/generated/entry-checks.js', await entryChecksText(parsed.controlApi, tables)],
    ...(await Promise.all(
      pages.map(async (name) => [`docs/${name}`, withParts(await read(`docs/${name}`), tables, parsed)]),
    )),
  ];
};

const textOf = async (file) => {
  try {
    return await readFile(path.join(root, file), 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
};

const check = process.argv.includes('--check');

const write = async ([file, text]) => {
  if ((await textOf(file)) === text) return;
  if (check) {
    console.error(`${file} is stale: run "npm run generate" and commit what it writes.`);
    process.exitCode = 1;
    return;
  }
  const target = path.join(root, file);
  await mkdir(path.dirname(target), { recursive: true });
  await writeFile(target, text);
  console.log(`wrote ${file}`);
};

const fromBoth = await fromSpecifications();
const before = await Promise.all([...fromBoth.keys()].map(async (file) => [file, await textOf(file)]));
for (const file of fromBoth) await write(file);
// The code reads what the specifications generate, so its tables come second.
try {
  for (const file of await fromCode()) await write(file);
} catch (error) {
  // Code that rejects these files would reject them when the specification is right again, too.
  for (const file of before) if (file[1] !== undefined) await write(file);
  if (error.constructor.name !== 'SpecificationError') throw error;
  console.error(`${error.message}; every file is as it was`);
  process.exitCode = 1;
}
