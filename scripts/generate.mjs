// Makes what src/ needs of the two OpenAPI documents: plain JSON, so that the start parses no YAML, and types.
// `--check` writes nothing and fails where a file is not what the documents say.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { parse } from 'yaml';
import { controlsPage } from './generate-controls-page.mjs';
import { operationsText } from './generate-operations.mjs';
import { reportSchemaText } from './generate-report-schema.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Name of the generated files, and the document they come from. */
const documents = { interface: 'spec/openapi.yaml', controls: 'spec/controls.yaml' };

const int64 = ts.factory.createKeywordTypeNode(ts.SyntaxKind.BigIntKeyword);

const typesOf = async (document, source) => {
  const nodes = await openapiTS(structuredClone(document), {
    immutable: true,
    // A JavaScript number holds 53 bits of the 64.
    transform: (schema) => (schema.type === 'integer' && schema.format === 'int64' ? int64 : undefined),
  });
  return `// Generated from ${source} by scripts/generate.mjs; change the document instead.\n${astToString(nodes)}`;
};

/** Every generated file as path → text. A further step adds its own here. */
const generate = async () => {
  const files = new Map();
  for (const [name, source] of Object.entries(documents)) {
    const document = parse(await readFile(path.join(root, source), 'utf8'));
    files.set(`src/generated/${name}.json`, `${JSON.stringify(document, null, 2)}\n`);
    files.set(`src/generated/${name}.d.ts`, await typesOf(document, source));
    if (name === 'controls') files.set('spec/report.schema.json', reportSchemaText(document));
    if (name === 'controls') files.set('docs/controls.md', controlsPage(document));
  }
  files.set('src/judge/operations.json', await operationsText(documents, root));
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
