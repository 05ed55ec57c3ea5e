/**
 * A change of `spec/openapi.yaml`, in a copy of the sources: what can follow from the specification follows. That the start names
 * what is described and not built: test/server/petstore/described.test.ts.
 */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { Client } from '../support/client.ts';
import { methodsOn, NO_OPERATION } from '../support/documented.ts';
import { Program } from '../support/program.ts';

// Under load a build takes long.
vi.setConfig({ testTimeout: 240_000 });
const KEY = 'a-key-of-the-test-0123456789';

let root: string;
beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'petstore-sandbox-')));
  const files = ['package.json', 'CHANGELOG.md', 'SECURITY.md'];
  for (const name of ['src', 'spec', 'scripts', 'fixtures', 'docs', 'test/server/petstore', 'test/support', ...files]) {
    await cp(name, join(root, name), { recursive: true });
  }
  await symlink(join(process.cwd(), 'node_modules'), join(root, 'node_modules'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** Runs a file of the copy: its exit code, and what it prints. */
const run = (file: string, ...args: string[]): Promise<[code: unknown, text: string]> =>
  new Promise((done) => {
    const options = { cwd: root, env: { PATH: process.env['PATH'] } };
    execFile(process.execPath, [file, ...args], options, (error, stdout, stderr) =>
      done([error?.code ?? 0, stdout + stderr]),
    );
  });

async function succeeds(file: string, ...args: string[]): Promise<string> {
  const [code, text] = await run(file, ...args);
  expect(code, text).toBe(0);
  return text;
}
async function build(): Promise<void> {
  await succeeds('scripts/generate.mjs');
  await succeeds('scripts/build.mjs');
}

/** Changes a file of the copy; each change has to fit. */
async function edit(file: string, changes: readonly (readonly [before: string | RegExp, after: string])[]) {
  let text = await readFile(join(root, file), 'utf8');
  for (const [before, after] of changes) {
    const changed = text.replace(before, () => after);
    if (changed === text) throw new Error(`${file} has no ${before}`);
    text = changed;
  }
  await writeFile(join(root, file), text);
}

const FIELDS = `
        weightGrams: { type: integer, format: int32, minimum: 1, description: How heavy it is. }
        heightCm: { type: number, exclusiveMinimum: 0, maximum: 500, description: How high it is. }
        vaccinated: { type: boolean, description: Whether it is vaccinated. }
        tags: { type: array, items: { type: string, maxLength: 10 }, maxItems: 3, uniqueItems: true, description: Its tags. }
        born: { type: string, format: date, description: When it was born. }
        chip: { type: string, pattern: '^[A-Z]{2}[0-9]{4}$', description: The number of its chip. }
        nick: { type: [string, 'null'], minLength: 2, description: What it is called. }
        size: { type: [string, 'null'], enum: [small, large, null], description: How large it is. }
        legs: { type: integer, multipleOf: 2, exclusiveMinimum: 0, description: How many legs it has. }
        ageMonths: { type: [integer, 'null'], format: int64, minimum: 0, description: How old it is. }
        mark: { oneOf: [{ type: integer }, { type: string, maxLength: 5 }], description: Its mark. }
        counts: { type: object, additionalProperties: { type: integer }, description: Other numbers. }
        vet: { $ref: '#/components/schemas/Vet' }
        owner:
          type: object
          required: [id]
          properties: { id: { type: integer, format: int64 }, categoryId: { type: integer } }
          description: Whose it is.`;
const SCHEMAS = `
    Vet:
      type: object
      description: Who looks after it.
      required: [id, mail]
      properties: { id: { type: integer, format: int64 }, mail: { $ref: '#/components/schemas/Mail' }, visits: { type: integer, format: int32 } }
    Mail: { type: string, format: email }`;
const NEW_OPERATION = `
    put:
      operationId: ${NO_OPERATION}
      summary: Touch a pet
      description: An operation that no version has.
      tags: [Pets]
      parameters:
        - name: petId
          in: path
          description: Identifier of the pet.
          required: true
          schema: { type: integer, format: int64 }
          examples: { one: { summary: The pet with the id 1, value: 1 } }
        - name: times
          in: query
          description: How often.
          required: true
          schema: { type: integer, minimum: 1 }
          examples: { one: { summary: Once, value: 1 } }
      responses:
        '204': { description: It is done. }
        '401': { $ref: '#/components/responses/Unauthorized' }
        default: { $ref: '#/components/responses/Error' }
components:`;
const OPERATION = `
import { parameterOf, queryOf } from '../../../base/api/specification.ts';
import { type Operation, pathInteger, queryParameters } from '../operation.ts';
export const ${NO_OPERATION}: Operation<bigint> = {
  reads: ['path/petId', 'query/times'],
  parse: (req) => {
    queryParameters(req, queryOf('${NO_OPERATION}'));
    return pathInteger(req, parameterOf('${NO_OPERATION}', 'path/petId'));
  },
  operate: async () => '',
};
`;

test('a new operation, status and bound, and fields of any type follow by themselves, once the operation is written', async () => {
  await edit('spec/openapi.yaml', [
    ['maximum: 100', 'maximum: 200'],
    ['enum: [available, pending, sold]', 'enum: [available, pending, sold, reserved, ON HOLD]'],
    [/(?<=\n {2}schemas:)/, SCHEMAS],
    // Of NewPet, then of Pet.
    [/(?<=pet belongs to\. The fields of a category aren't documented\.)/, FIELDS],
    [/(?<=Identifier of the category the pet belongs to\.(?=\n {8}status))/, FIELDS],
    ['\ncomponents:', NEW_OPERATION],
  ]);
  await writeFile(join(root, `src/server/petstore/operations/${NO_OPERATION}.ts`), OPERATION);
  await edit('src/server/petstore/endpoints.ts', [
    ['import { getPet }', `import { ${NO_OPERATION} } from './operations/${NO_OPERATION}.ts';\nimport { getPet }`],
    ['OPERATIONS = { ', `OPERATIONS = { ${NO_OPERATION}, `],
  ]);
  await build();
  await succeeds('scripts/generate.mjs', '--check');
  await serving(async (url) => {
    const client = new Client(url, KEY);
    await serviceFollows(client);
    await fieldsFollow(client);
  });
  await facesFollow();
});

/** Serves the copy; service and validator must agree, and no response break the specification. */
async function serving(act: (url: string) => Promise<void>): Promise<void> {
  const env = { SANDBOX_API_KEYS: KEY, SANDBOX_LOG_FORMAT: 'json' };
  const args = ['serve', '--port', '0', '--memory'];
  const program = new Program(args, { env, cwd: root, cli: join(root, 'dist/cli.cjs') });
  try {
    const [url] = await program.wrote(/http:\/\/127\.0\.0\.1:\d+/);
    await act(url);
    program.process.kill('SIGTERM');
    await program.ended();
  } finally {
    await program.kill();
  }
  const lines = (program.stdout + program.stderr).split('\n');
  expect(lines.filter((line) => /^\{"level":(?:"(?:error|fatal|warn)"|[456]0)/.test(line))).toEqual([]);
}

async function serviceFollows(client: Client): Promise<void> {
  expect((await client.get('/v1/pets?limit=200')).status).toBe(200);
  expect((await client.get('/v1/pets?limit=201')).json.message).toContain('at most 200');
  const pet = { name: 'Rex', categoryId: 1, weightGrams: 2 ** 31 - 1, status: 'reserved' };
  const made = await client.post('/v1/pets', pet);
  expect([made.status, made.json]).toEqual([201, { ...pet, id: made.json.id }]);
  expect(Object.keys(made.json)).toEqual(['id', 'name', 'categoryId', 'weightGrams', 'status']);
  expect((await client.get('/v1/pets?status=reserved')).json).toEqual([made.json]);
  for (const weightGrams of [2 ** 31, 0, 1.5, '1']) {
    const rejected = await client.post('/v1/pets', { ...pet, weightGrams });
    expect([rejected.status, rejected.json.message]).toEqual([
      400,
      expect.stringMatching(/1 to 2147483647|at least 1;|at most 2147483647;/),
    ]);
  }
  const touch = { method: 'PUT', path: '/v1/pets/1?times=2' };
  expect((await client.send(touch)).status).toBe(204);
  const { json } = await client.send({ ...touch, path: '/v1/pets/1' });
  expect([json.status, json.message]).toEqual([400, expect.stringContaining('query/times is required')]);
  const preflight = await client.send({ method: 'OPTIONS', path: '/v1/pets/1' });
  expect(preflight.headers).toMatchObject({
    allow: `${methodsOn('/pets/{petId}')}, PUT, OPTIONS`,
  });
  expect((await client.post('/_sandbox/pets', { count: 3, seed: 1, status: 'reserved' })).status).toBe(201);
  const report = (await client.get('/_sandbox/report')).json;
  expect(report.operations.map(({ operation }: { operation: string }) => operation)).toContain(NO_OPERATION);
  expect((await client.post('/_sandbox/faults', { operation: NO_OPERATION, status: 503, times: 1 })).status).toBe(201);
  expect((await client.send(touch)).status).toBe(503);
}

/** Of any type and with any keyword. */
async function fieldsFollow(client: Client): Promise<void> {
  const owner = '"owner":{"id":9223372036854775807}';
  const text = `"name":"Ada","categoryId":77,"heightCm":1.50,"vaccinated":true,"tags":["a"],"born":"2020-02-29","chip":"AB1234","nick":null,${owner}`;
  const made = await client.post('/v1/pets', `{${text}}`);
  expect([made.status, made.text]).toEqual([201, `{"id":${made.json.id},${text}}`]);
  for (const [wrong, why] of [
    ['"heightCm":0', 'body/heightCm is more than 0; 0 was sent'],
    ['"legs":3', 'body/legs is a multiple of 2; 3 was sent'],
    ['"vaccinated":"true"', 'body/vaccinated is true or false; \\"true\\" was sent'],
    ['"tags":["a","a"]', 'array without repetitions of 0 to 3 items, each a string of 0 to 10 characters'],
    ['"tags":["a","longer than ten"]', 'body/tags/1 is a string of 0 to 10 characters'],
    ['"born":"2021-02-29"', 'body/born is a date like 2030-12-05'],
    ['"chip":"ab"', 'body/chip is a string that matches ^[A-Z]{2}[0-9]{4}$'],
    ['"nick":"x"', 'body/nick is a string of at least 2 characters, or null'],
    [
      '"owner":{"id":9223372036854775808}',
      'body/owner/id is at most 9223372036854775807; 9223372036854775808 was sent',
    ],
    ['"owner":{}', 'body/owner/id is required'],
    ['"size":"huge"', 'body/size is one of small, large, null'],
    ['"legs":2147483648000000000000', 'body/legs is at most 9223372036854775807; 2147483648000000000000'],
    ['"ageMonths":9223372036854775808', 'body/ageMonths is at most 9223372036854775807; 9223372036854775808'],
    ['"mark":9223372036854775808', 'body/mark is at most 9223372036854775807; 9223372036854775808 was sent'],
    ['"mark":true', 'body/mark is an integer, or a string of 0 to 5 characters; true was sent'],
    [
      '"counts":{"a":9223372036854775808}',
      'body/counts/a is at most 9223372036854775807; 9223372036854775808 was sent',
    ],
    ['"vet":{"id":1,"mail":"x"}', 'body/vet/mail is an email address'],
    ['"vet":{"id":1,"mail":"a@example.com","visits":2147483648}', 'body/vet/visits is an integer of 32 bits'],
  ]) {
    const rejected = await client.post('/v1/pets', `{"name":"Ada","categoryId":77,${wrong}}`);
    expect([rejected.status, rejected.text]).toEqual([400, expect.stringContaining(why as string)]);
  }
  const { issues } = (await client.get('/_sandbox/issues')).json;
  // No weight is made up for one that is out of bounds.
  for (const sample of [{ instead: '"vaccinated":true' }, { sent: '"weightGrams":0', instead: null }])
    expect(issues).toContainEqual(expect.objectContaining({ sample: expect.objectContaining(sample) }));
  const csv = join(root, 'pets.csv');
  await writeFile(csv, 'id,name,categoryId,heightCm,vaccinated,tags,nick\n5,Bo,1,2.25,false,"[""b""]",12\n');
  const args = ['--fixture-file', csv, '--json', '--url', client.url];
  const { key } = JSON.parse(await succeeds('dist/cli.cjs', 'keys', 'create', ...args));
  expect((await new Client(client.url, key).get('/v1/pets')).text).toBe(
    '[{"id":5,"name":"Bo","categoryId":1,"heightCm":2.25,"vaccinated":false,"tags":["b"],"nick":"12"}]',
  );
}

/** The command line, the dashboard and the schema that editors use. */
async function facesFollow(): Promise<void> {
  expect(await succeeds('dist/cli.cjs', 'pets', 'generate', '--help')).toContain('"reserved"');
  expect(await succeeds('dist/cli.cjs', 'faults', 'add', '--help')).toContain(`"${NO_OPERATION}"`);
  const assets = join(root, 'dist/dashboard/assets');
  const scripts = (await readdir(assets)).filter((name) => name.endsWith('.js'));
  const page = (await Promise.all(scripts.map((name) => readFile(join(assets, name), 'utf8')))).join('\n');
  for (const word of ['reserved', NO_OPERATION, '200']) expect(page).toContain(word);
  const { $defs } = JSON.parse(await readFile(join(root, 'fixtures/fixture.schema.json'), 'utf8'));
  expect($defs.pet.properties).toMatchObject({
    status: { enum: ['available', 'pending', 'sold', 'reserved', 'ON HOLD'] },
    ageMonths: { type: ['integer', 'null'], minimum: 0 },
    weightGrams: { type: 'integer', minimum: 1 },
  });
}

/** Adds fields behind each category of a file, as its lines are indented. */
async function addFields(file: string, category: RegExp, fields: readonly string[], separator: string) {
  const text = await readFile(join(root, file), 'utf8');
  const added = text.replaceAll(category, (line) => [line, ...fields].join(`${separator}${/^\n */.exec(line) ?? ''}`));
  await writeFile(join(root, file), added);
}

test('fields of any type may be required', async () => {
  await edit('spec/openapi.yaml', [
    ['required: [name, categoryId]', 'required: [name, categoryId, heightCm, tags, vet]'],
    ['required: [id, name, categoryId]', 'required: [id, name, categoryId, heightCm, tags, vet]'],
  ]);
  const fields = ['"heightCm": 2.5', '"tags": ["a"]', '"vet": { "id": 1, "mail": "a@example.com" }'];
  await addFields('spec/openapi.yaml', /\n +categoryId: \d+(?=\n)/g, fields, '');
  for (const name of ['default', 'boundary'])
    await addFields(`fixtures/${name}.json`, /"categoryId": -?\d+/g, fields, ', ');
  await build();
  await serving(async (url) => {
    const client = new Client(url, KEY);
    expect((await client.get('/v1/pets/1')).json).toMatchObject({ heightCm: 2.5, tags: ['a'] });
    const rejected = await client.post('/v1/pets', { name: 'Ada', categoryId: 1, heightCm: 1 });
    for (const name of ['tags', 'vet']) expect(rejected.json.message).toContain(`body/${name} is required`);
    const whole = { name: 'Ada', categoryId: 1, heightCm: 1, tags: [], vet: { id: 1, mail: 'a@example.com' } };
    expect((await client.post('/v1/pets', whole)).status).toBe(201);
  });
});

test('nothing is generated from what cannot be obeyed, which is named, and a specification that is right again is generated', async () => {
  const specification = await readFile(join(root, 'spec/openapi.yaml'), 'utf8');
  const description = '\n      description: A pet as returned.';
  const of = (schema: string): RegExp => new RegExp(`(?<=\\n {4}${schema}:[^]*?\\n {6}properties:)`);
  const color = (field: string): string => `\n        color: { ${field}, description: Its color. }`;
  for (const [before, after, why] of [
    [description, '\n      minProperties: 1', 'Pet has keywords unknown here: minProperties'],
    [of('NewPet'), color('type: string, readOnly: true'), 'NewPet/color has readOnly'],
    [of('Pet'), color('type: array, items: { type: string, writeOnly: true }'), 'Pet/color has writeOnly'],
    [of('Pet'), color('type: number, multipleOf: 0.01'), 'color/multipleOf is 0.01, which is not exact'],
  ] as const) {
    await edit('spec/openapi.yaml', [[before, after]]);
    expect(await run('scripts/generate.mjs')).toEqual([1, expect.stringContaining(why)]);
    await writeFile(join(root, 'spec/openapi.yaml'), specification);
  }
  await succeeds('scripts/generate.mjs', '--check');
});
