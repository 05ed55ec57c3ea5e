import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeEach, describe, expect, it } from 'vitest';
import specification from '../../src/base/generated/petstore.json' with { type: 'json' };
import { INT64_MAX, INT64_MIN } from '../../src/base/int64.ts';
import { builtFixtures } from '../../src/base/shipped.ts';
import { FixtureError, readFixture } from '../../src/sandbox/fixture-file.ts';
import { openFixtures } from '../../src/sandbox/fixtures.ts';
import { newFixture } from '../../src/sandbox/new-fixture.ts';
import { newFolder } from '../support/folder.ts';
import { texts } from '../support/texts.ts';
import { petsOf } from './store/support.ts';

const SHIPPED = 'fixtures';

let directory: string;
beforeEach(async () => {
  directory = await newFolder();
});

const write = (name: string, content: string | Buffer): Promise<void> => writeFile(join(directory, name), content);
const opened = () => openFixtures({ shipped: directory });

/** What `openFixtures` says, with the directory taken out of it. */
async function rejection(): Promise<string[]> {
  const error = await opened().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(FixtureError);
  return (error as FixtureError).message.replaceAll(`${directory}/`, '').split('\n');
}

const pet = (id: bigint, rest = ''): string => `{ "id": ${id}, "name": "Rex", "categoryId": 1${rest} }`;
const fixture = (pets: readonly string[], rest = ''): string =>
  `{ "description": "d"${rest}, "pets": [${pets.join(',\n')}] }`;

describe('the fixtures that come with the sandbox', () => {
  const shipped = () => openFixtures({ shipped: SHIPPED });

  it.each([
    ['boundary', 30, 1000n],
    ['default', 12, 13n],
    ['empty', 0, 1n],
    ['large', 10_000, 10_001n],
  ])('%s says what it is for, holds %i pets that pass the specification, and gives out %i', async (name, count, id) => {
    const ajv = new Ajv2020({ strict: false, formats: { int64: true } });
    ajv.addSchema(specification, 'specification');
    const validator = ajv.compile({ $ref: 'specification#/components/schemas/Pet' });
    const fixtures = await shipped();
    const about = fixtures.list().find((each) => each.name === name);
    expect(about).toEqual({ name, count, description: expect.stringMatching(/^[A-Z].{20,}\.$/) });
    const loaded = await fixtures.load(name);
    expect(loaded).toMatchObject({ name, description: about?.description, nextId: id });
    const pets = petsOf(loaded);
    expect(pets).toHaveLength(count);
    for (const { json } of pets) expect(validator(JSON.parse(json)), json).toBe(true);
  });

  it('boundary: has the ends of int64 and of doubles, digit for digit, and names that break programs', async () => {
    const loaded = await (await shipped()).load('boundary');
    const doubles = [-(2n ** 53n) - 1n, -1n, 0n, 2n ** 53n - 1n, 2n ** 53n + 2n, 2n ** 53n + 1n];
    for (const id of [INT64_MIN, INT64_MIN + 1023n, ...doubles, INT64_MAX - 1n, INT64_MAX])
      expect(loaded.pets.find(id)?.json).toMatch(new RegExp(`^{"id":${id},"name":"`));
    for (const end of [INT64_MIN, INT64_MAX]) expect(loaded.pets.find(end)?.json).toContain(`"categoryId":${end}`);
    const names = petsOf(loaded).map(({ json }): string => JSON.parse(json).name);
    const forms = ['NFC', 'NFD'].map((form) => 'Zoë décomposée'.normalize(form));
    expect(names).toEqual(expect.arrayContaining(['', '__proto__', ...forms]));
    expect(names.map((name) => name.length)).toContain(10_000);
    for (const part of ['ארנבת', 'قطة', '\u202e', '👩🏽\u200d⚕', '"', '\\', '\0', '\u001b', '\u2028', '<script>'])
      expect(names).toContainEqual(expect.stringContaining(part));
  });

  it('large: is read on the first load and once, as the build has made it of its recipe', async () => {
    const fixtures = await shipped();
    const [one, other] = await Promise.all([fixtures.load('large'), fixtures.load('large')]);
    expect([other, await fixtures.load('large')].every((each) => each === one)).toBe(true);
    const made = await newFixture(readFixture(await readFile(join(SHIPPED, 'large.json'), 'utf8'), 'large.json'));
    expect(petsOf(one)).toEqual(made.pets);
    const built = await readFile(join(builtFixtures, 'large.json'), 'utf8');
    expect(readFixture(built, 'large.json').pets).toHaveLength(10_000);
  });
});

describe('the schema of fixture files', () => {
  const schemaOfFiles = async () => JSON.parse(await readFile(join(SHIPPED, 'fixture.schema.json'), 'utf8'));
  const validatorOfFiles = async () => new Ajv2020({ allErrors: true }).compile(await schemaOfFiles());

  it('accepts every shipped file, and each names it', async () => {
    const validator = await validatorOfFiles();
    const names = (await readdir(SHIPPED)).filter((name) => !name.endsWith('.schema.json'));
    expect(names).toHaveLength(4);
    for (const name of names) {
      const file = JSON.parse(await readFile(join(SHIPPED, name), 'utf8'));
      expect(validator(file), JSON.stringify([name, validator.errors])).toBe(true);
      expect(file.$schema).toBe('./fixture.schema.json');
    }
  });

  it.each([
    fixture([]),
    fixture([pet(1n), pet(2n, ', "status": "sold"')], ', "nextId": -5, "$schema": "./fixture.schema.json"'),
    '{ "description": "d", "generate": { "count": 3, "seed": 0 } }',
    '{ "pets": [] }',
    '{ "description": "", "pets": [] }',
    '{ "description": "d" }',
    '{ "description": "d", "pets": [], "generate": { "count": 3, "seed": 0 } }',
    ...texts(
      '"count": 0, "seed": 0 | "count": 10001, "seed": 0 | "count": 1, "seed": 4294967296 | "count": 1',
      '"count": 1, "seed": 1, "more": 1',
    ).map((request) => `{ "description": "d", "generate": { ${request} } }`),
    fixture([], ', "nextID": 3'),
    fixture([], ', "nextId": 1.5'),
    '{ "description": "d", "pets": {} }',
    '[]',
    fixture([pet(1n, ', "status": "gone"')]),
    fixture([pet(1n, ', "owner": "me"')]),
    fixture(['{ "id": 1, "name": "Rex" }']),
    fixture(['{ "id": 1, "name": null, "categoryId": 1 }']),
  ])('agrees with the loader on %s', async (text) => {
    await write('mine.json', text);
    const loaderAccepts = await opened().then(Boolean, () => false);
    expect((await validatorOfFiles())(JSON.parse(text))).toBe(loaderAccepts);
  });
});

describe('a fixture file that is not right', () => {
  // control/inline-fixture.test.ts has what a fixture may say wrong besides.
  it.each<[string, ...(string | RegExp)[]]>([
    ['{ "description": ', /not valid JSON: .*position/],
    ['{ "description": "a", "description": "b", "pets": [] }', /the field "description" is given twice/],
    ['[]', 'the file is a JSON object such as {"description": "…", "pets": []}; an array was sent'],
    ['{ "pets": [] }', 'description is missing: say what the fixture is for'],
    ['{ "description": "d", "pets": [], "$schema": 1 }', '$schema is a string; 1 was sent'],
    [fixture([], ', "nextID": 5'), 'nextID is not known here; did you mean nextId?'],
    [fixture([], ', "a": 5'), 'a is not known here; there are $schema, description, nextId, pets, generate'],
    ['{ "description": "d", "pets": { "id": 1 } }', 'pets is an array; an object was sent'],
    [
      '{ "description": "d", "generate": { "count": 1, "sead": 1 } }',
      'generate/seed is required (an integer from 0 to 4294967295)',
      'generate/sead is not known here; did you mean seed?',
    ],
    [fixture([pet(1n), '7']), /^pets\[1\] is a JSON object with id, name, categoryId, .*; 7 was sent$/],
    [fixture(['{ "id": 1, "categoryId": 1 }']), 'pets[0]/name is required (a string)'],
    [fixture([pet(1n, ', "statsu": "sold"')]), 'pets[0]/statsu is not known here; did you mean status?'],
    [
      fixture(['{ "id": 4, "name": "Rex" }', pet(4n)]),
      /^pets\[0\]\/categoryId is required/,
      'pets[1]/id is an id of its own; 4 is taken by pets[0]',
    ],
  ])('says file, place and what to write: %s', async (text, ...expected) => {
    await write('mine.json', text);
    const lines = await rejection();
    for (const line of lines) expect(line).toMatch(/^mine\.json: /);
    expect(lines.map((line) => line.slice('mine.json: '.length))).toEqual(
      expected.map((each) => (typeof each === 'string' ? each : expect.stringMatching(each))),
    );
  });

  it('has all its problems named at once: twenty in words, the rest as a number', async () => {
    await write('mine.json', fixture(Array.from({ length: 24 }, () => '{ "id": 1, "name": 5 }')));
    const [name, category, ...others] = await rejection();
    expect(name).toMatch(/^mine\.json: pets\[0\]\/name /);
    expect(category).toMatch(/^mine\.json: pets\[0\]\/categoryId /);
    expect([others.length, others.at(-1)]).toEqual([19, 'mine.json: and 51 more']);
  });

  it.each(['Mine', '-mine', 'my pets', 'a.b', 'ü', 'a'.repeat(65)])(
    'is rejected for its name, with the rule: %s',
    async (name) => {
      await write(`${name}.json`, fixture([]));
      expect(await rejection()).toEqual([
        `${name}.json: the name before .json must be 1 to 64 of a-z, 0-9, _ and -, and begin with a letter or a digit; rename the file`,
      ]);
    },
  );

  it('is rejected when it is longer than 32 MiB, no UTF-8, no plain file, or leads nowhere', async () => {
    await write('long.json', '');
    await truncate(join(directory, 'long.json'), 32 * 1024 * 1024 + 1);
    await write('latin.json', Buffer.from('{ "description": "caf\u00e9", "pets": [] }', 'latin1'));
    execFileSync('mkfifo', [join(directory, 'pipe.json')]);
    await symlink('nowhere', join(directory, 'astray.json'));
    expect(await rejection()).toEqual([
      expect.stringMatching(/^astray\.json: cannot be read: ENOENT/),
      'latin.json: not valid UTF-8; save the file as UTF-8',
      'long.json: 33554433 bytes; a fixture file has at most 33554432',
      "pipe.json: not a file; put the fixture's text there",
    ]);
  });

  it('is no fixture at all when the directory is missing', async () => {
    await expect(openFixtures({ shipped: SHIPPED, extra: join(directory, 'none') })).rejects.toThrow(
      `${directory}/none: not a directory of fixtures that can be read: ENOENT`,
    );
  });
});

describe('a directory of fixtures', () => {
  it('adds to the shipped ones, and wins on the same name', async () => {
    await write('default.json', fixture([pet(77n)]));
    await write('cats.json', fixture([]));
    const fixtures = await openFixtures({ shipped: SHIPPED, extra: directory });
    expect(fixtures.list().map(({ name }) => name)).toEqual(['boundary', 'cats', 'default', 'empty', 'large']);
    expect(petsOf(await fixtures.load('default')).map(({ id }) => id)).toEqual([77n]);
  });

  it('has each of its files checked, also one that another stands in for', async () => {
    const other = join(directory, 'other');
    await mkdir(other);
    await write('same.json', '[]');
    await writeFile(join(other, 'same.json'), fixture([]));
    await expect(openFixtures({ shipped: directory, extra: other })).rejects.toThrow(FixtureError);
  });

  it('may hold links, other files, dotfiles, schemas and directories', async () => {
    await mkdir(join(directory, '..data'));
    await write('..data/real.json', fixture([pet(1n)]));
    await symlink('..data/real.json', join(directory, 'linked.json'));
    await mkdir(join(directory, 'folder.json'));
    for (const name of ['.hidden.json', 'README.md', 'my.schema.json']) await write(name, 'no fixture');
    expect((await opened()).list()).toEqual([{ name: 'linked', description: 'd', count: 1 }]);
  });

  it('holds at most 200', async () => {
    for (let index = 0; index < 200; index++) await write(`f${index}.json`, fixture([]));
    expect((await opened()).list()).toHaveLength(200);
    await write('one-more.json', fixture([]));
    await expect(opened()).rejects.toThrow(`${directory}: 201 fixture files; a directory has at most 200`);
  });

  it('takes a byte order mark for what it is', async () => {
    await write('mine.json', `\ufeff${fixture([pet(1n)])}`);
    expect((await opened()).list()).toHaveLength(1);
  });
});

describe('a loaded fixture', () => {
  const THREE = '{"count":3,"seed":0}';

  it.each([
    ['1 without pets', fixture([]), 1n],
    ['one above the largest', fixture([pet(9n), pet(-3n)]), 10n],
    ['one above the largest, also below zero', fixture([pet(-9n), pet(-3n)]), -2n],
    ['beyond int64 when the largest is taken', fixture([pet(INT64_MAX)]), INT64_MAX + 1n],
    ['what the file says', fixture([pet(9n)], ', "nextId": 1000'), 1000n],
    ['what the file says, also below its pets', fixture([pet(9n)], ', "nextId": -7'), -7n],
    ['what the file says for generated pets', `{"description":"d","nextId":5,"generate":${THREE}}`, 5n],
  ])('names the first id to give out: %s', async (_, text, nextId) => {
    await write('mine.json', text);
    expect((await (await opened()).load('mine')).nextId).toBe(nextId);
  });

  it('is rejected when its file went since the start, and taken again once it is put back', async () => {
    await write('mine.json', fixture([pet(1n)]));
    const fixtures = await opened();
    await rm(join(directory, 'mine.json'));
    await expect(fixtures.load('mine')).rejects.toThrow('mine.json: cannot be read: ENOENT');
    await write('mine.json', fixture([pet(1n)]));
    const loaded = await fixtures.load('mine');
    await rm(join(directory, 'mine.json'));
    expect(await fixtures.load('mine')).toBe(loaded);
  });

  it('is not there under a name that no file has', async () => {
    await write('mine.json', fixture([]));
    const fixtures = await opened();
    for (const name of ['other', '../mine', '__proto__', 'constructor', '']) {
      expect(fixtures.has(name)).toBe(false);
      const error = new FixtureError('there is no fixture of that name; there are mine');
      await expect(fixtures.load(name)).rejects.toThrow(error);
    }
  });
});
