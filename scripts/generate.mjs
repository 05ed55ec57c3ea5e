// Makes what src/ needs of the two OpenAPI documents: plain JSON, so that the start parses no YAML, types, and facts.
// `--check` writes nothing and fails where a file is not what the documents say.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { parse } from 'yaml';
import { controlsPage } from './generate-controls-page.mjs';
import { withCopies } from './generate-copies.mjs';
import { factsText } from './generate-facts.mjs';
import { fixtureSchemaText } from './generate-fixture-schema.mjs';
import { reportSchemaText } from './generate-report-schema.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Name of the generated files, and the document they come from. */
const documents = { interface: 'spec/openapi.yaml', controls: 'spec/controls.yaml' };

const FIXTURE_SCHEMA = 'fixtures/fixture.schema.json';

const int64 = ts.factory.createKeywordTypeNode(ts.SyntaxKind.BigIntKeyword);

const typesOf = async (document, source) => {
  // Of a schema that wants one member of several, openapi-typescript would make a union with `unknown`: anything at all.
  const copy = JSON.parse(JSON.stringify(document), (key, value) =>
    key === 'anyOf' && value.every((branch) => Object.keys(branch).join() === 'required') ? undefined : value,
  );
  const nodes = await openapiTS(copy, {
    immutable: true,
    // A JavaScript number holds 53 bits of the 64.
    transform: (schema) => (schema.type === 'integer' && schema.format === 'int64' ? int64 : undefined),
  });
  return `// Generated from ${source} by scripts/generate.mjs; change the document instead.\n${astToString(nodes)}`;
};

const read = (file) => readFile(path.join(root, file), 'utf8');

/** Every generated file as path → text. A further step adds its own here. */
const generate = async () => {
  const files = new Map();
  const petstore = await read(documents.interface);
  const names = Object.values(parse(petstore).paths).flatMap((item) =>
    Object.values(item).flatMap(({ operationId }) => operationId ?? []),
  );
  const controls = withCopies(await read(documents.controls), petstore, names);
  files.set(documents.controls, controls);
  const parsed = { interface: parse(petstore), controls: parse(controls) };
  for (const [name, source] of Object.entries(documents)) {
    files.set(`src/generated/${name}.json`, `${JSON.stringify(parsed[name], null, 2)}\n`);
    files.set(`src/generated/${name}.d.ts`, await typesOf(parsed[name], source));
  }
  files.set('src/generated/facts.ts', factsText(parsed));
  files.set('spec/report.schema.json', reportSchemaText(parsed.controls));
  files.set('docs/controls.md', controlsPage(parsed.controls));
  files.set(FIXTURE_SCHEMA, fixtureSchemaText(await read(FIXTURE_SCHEMA), parsed.interface));
  return files;
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
for (const [file, text] of await generate()) {
  if ((await textOf(file)) === text) continue;
  if (check) {
    console.error(`${file} is stale: run "npm run generate" and commit what it writes.`);
    process.exitCode = 1;
    continue;
  }
  const target = path.join(root, file);
  await mkdir(path.dirname(target), { recursive: true });
  await writeFile(target, text);
  console.log(`wrote ${file}`);
}
