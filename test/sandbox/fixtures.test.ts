import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeEach, describe, expect, it } from 'vitest';
import { INT64_MAX, INT64_MIN } from '../../src/core/int64.ts';
import description from '../../src/generated/petstore.json' with { type: 'json' };
import { FixtureError } from '../../src/sandbox/fixture-file.ts';
import { openFixtures } from '../../src/sandbox/fixtures.ts';
import { petsOf } from '../store/support.ts';
import { newFolder } from '../support/folder.ts';

const SHIPPED = 'fixtures';

let directory: string;
beforeEach(async () => {
  directory = await newFolder();
});

const write = (name: string, content: string | Buffer): Promise<void> => writeFile(join(directory, name), content);
const opened = () => openFixtures({ shipped: directory });

/** What `openFixtures` says, with the directory taken out of it. */
const rejection = async (): Promise<string[]> => {
  const error = await opened().then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(FixtureError);
  return (error as FixtureError).message.replaceAll(`${directory}/`, '').split('\n');
};

const pet = (id: bigint, rest = ''): string => `{ "id": ${id}, "name": "Rex", "categoryId": 1${rest} }`;
const fixture = (pets: readonly string[], rest = ''): string =>
  `{ "description": "d"${rest}, "pets": [${pets.join(',\n')}] }`;

describe('the fixtures that come with the sandbox', () => {
  it('are default, empty, boundary and large, each with a line that says what it is for', async () => {
    const fixtures = await openFixtures({ shipped: SHIPPED });
    expect(fixtures.list().map(({ name, count }) => [name, count])).toEqual([
      ['boundary', 30],
      ['default', 12],
      ['empty', 0],
      ['large', 10_000],
    ]);
    for (const { name, description } of fixtures.list()) {
      expect(description).toMatch(/^[A-Z].{20,}\.$/);
      const loaded = await fixtures.load(name);
      expect(loaded).toMatchObject({ name, description });
    }
    expect(fixtures.has('default')).toBe(true);
    expect(fixtures.has('fixture.schema')).toBe(false);
  });

  it('hold only pets that pass the specification', async () => {
    const ajv = new Ajv2020({ strict: false, formats: { int64: true } });
    ajv.addSchema(description, 'specification');
    const validator = ajv.compile({ $ref: 'specification#/components/schemas/Pet' });
    const fixtures = await openFixtures({ shipped: SHIPPED });
    for (const { name, count } of fixtures.list()) {
      const pets = petsOf(await fixtures.load(name));
      expect(pets).toHaveLength(count);
      for (const { json } of pets) expect(validator(JSON.parse(json)), json).toBe(true);
    }
  });

  it('empty: begins at id 1', async () => {
    const loaded = await (await openFixtures({ shipped: SHIPPED })).load('empty');
    expect([loaded.nextId, petsOf(loaded)]).toEqual([1n, []]);
  });

  it('boundary: has the ends of int64 and of doubles, digit for digit, and names that break programs', async () => {
    const loaded = await (await openFixtures({ shipped: SHIPPED })).load('boundary');
    const find = (id: bigint) => loaded.pets.find(id);
    const pets = petsOf(loaded);
    expect(loaded.nextId).toBe(1000n);
    const edges = [
      INT64_MIN,
      INT64_MIN + 1023n,
      -(2n ** 53n) - 1n,
      -1n,
      0n,
      2n ** 53n - 1n,
      2n ** 53n + 2n,
      2n ** 53n + 1n,
      INT64_MAX - 1n,
      INT64_MAX,
    ];
    for (const id of edges) expect(find(id)?.json).toMatch(new RegExp(`^{"id":${id},"name":"`));
    expect(find(INT64_MIN)?.json).toContain('"categoryId":-9223372036854775808}');
    expect(find(INT64_MAX)?.json).toContain('"categoryId":9223372036854775807,');
    const names = pets.map(({ json }): string => JSON.parse(json).name);
    expect(names).toEqual(expect.arrayContaining(['', '__proto__']));
    expect(names.map((name) => name.length)).toContain(10_000);
    for (const form of ['NFC', 'NFD']) expect(names).toContain('Zoë décomposée'.normalize(form));
    for (const part of ['ארנבת', 'قطة', '\u202e', '👩🏽\u200d⚕', '"', '\\', '\0', '\u001b', '\u2028', '<script>']) {
      expect(
        names.some((name) => name.includes(part)),
        part,
      ).toBe(true);
    }
  });

  it('large: has ten thousand pets with the ids 1 to 10000, made on the first load and once', async () => {
    const fixtures = await openFixtures({ shipped: SHIPPED });
    const [one, other] = await Promise.all([fixtures.load('large'), fixtures.load('large')]);
    expect(one).toBe(other);
    expect(await fixtures.load('large')).toBe(one);
    expect(petsOf(one).map(({ id }) => id)).toEqual(Array.from({ length: 10_000 }, (_, index) => BigInt(index + 1)));
    expect(one.nextId).toBe(10_001n);
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

  it("asks of a pet what the specification's Pet asks", async () => {
    const { pet, int64 } = (await schemaOfFiles()).$defs;
    const { Pet, PetStatus } = description.components.schemas;
    expect(pet.required).toEqual(Pet.required);
    expect(Object.keys(pet.properties)).toEqual(Object.keys(Pet.properties));
    expect(pet.properties.status.enum).toEqual(PetStatus.enum);
    expect(pet.properties.name.type).toBe(Pet.properties.name.type);
    for (const name of ['id', 'categoryId'] as const) {
      expect(pet.properties[name].$ref).toBe('#/$defs/int64');
      expect(Pet.properties[name]).toMatchObject({ type: int64.type, format: 'int64' });
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
    '{ "description": "d", "generate": { "count": 0, "seed": 0 } }',
    '{ "description": "d", "generate": { "count": 10001, "seed": 0 } }',
    '{ "description": "d", "generate": { "count": 1, "seed": 4294967296 } }',
    '{ "description": "d", "generate": { "count": 1 } }',
    '{ "description": "d", "generate": { "count": 1, "seed": 1, "more": 1 } }',
    '{ "description": "d", "pets": [], "nextID": 3 }',
    '{ "description": "d", "pets": [], "nextId": 1.5 }',
    '{ "description": "d", "pets": {} }',
    '[]',
    fixture([pet(1n, ', "status": "gone"')]),
    fixture([pet(1n, ', "owner": "me"')]),
    fixture(['{ "id": 1, "name": "Rex" }']),
    fixture(['{ "id": 1, "name": null, "categoryId": 1 }']),
  ])('agrees with the loader on %s', async (text) => {
    await write('mine.json', text);
    const loaderAccepts = await opened().then(
      () => true,
      () => false,
    );
    expect((await validatorOfFiles())(JSON.parse(text))).toBe(loaderAccepts);
  });
});

describe('a fixture file that is not right', () => {
  it.each([
    ['{ "description": ', /^mine\.json: not valid JSON: .*position/],
    ['{ "description": "a", "description": "b", "pets": [] }', /^mine\.json: the field "description" is given twice/],
    ['[]', 'mine.json: must be a JSON object such as {"description": "…", "pets": []}; got an array'],
    ['{ "description": "d" }', 'mine.json: pets is missing: give "pets": [] or "generate": {"count": 100, "seed": 1}'],
    [
      '{ "description": "d", "pets": [], "generate": { "count": 1, "seed": 1 } }',
      "mine.json: generate can't be combined with pets; leave one of them out",
    ],
    ['{ "pets": [] }', 'mine.json: description must be a string of 1 to 500 characters; got nothing'],
    ['{ "description": "d", "pets": [], "$schema": 1 }', 'mine.json: $schema must be a string; got 1'],
    ['{ "description": "d", "pets": [], "nextID": 5 }', 'mine.json: nextID is not known here; did you mean nextId?'],
    [
      '{ "description": "d", "pets": [], "__proto__": 5 }',
      'mine.json: __proto__ is not known here; there are $schema, description, nextId, pets, generate',
    ],
    [
      '{ "description": "d", "pets": [], "nextId": 9223372036854775808 }',
      'mine.json: nextId must be an integer from -9223372036854775808 to 9223372036854775807; got 9223372036854775808',
    ],
    ['{ "description": "d", "pets": { "id": 1 } }', 'mine.json: pets must be an array; got an object'],
    [
      '{ "description": "d", "generate": { "count": 10001, "seed": 1 } }',
      'mine.json: generate/count must be an integer from 1 to 10000; got 10001',
    ],
    [
      '{ "description": "d", "generate": { "count": 1, "sead": 1 } }',
      'mine.json: generate/sead is not known here; did you mean seed?',
      'mine.json: generate/seed must be an integer from 0 to 4294967295; got nothing',
    ],
    [fixture([pet(1n), '7']), /^mine\.json: pets\[1\] must be a JSON object with id, name, categoryId, .*; got 7$/],
    [fixture(['{ "id": 1, "categoryId": 1 }']), /^mine\.json: pets\[0\]\/name is required \(a string\)$/],
    [
      fixture([pet(1n), pet(9223372036854775808n)]),
      'mine.json: pets[1]/id must be an integer from -9223372036854775808 to 9223372036854775807; got 9223372036854775808',
    ],
    [
      fixture([pet(1n, ', "status": "gone"')]),
      'mine.json: pets[0]/status must be one of available, pending, sold; got "gone"',
    ],
    [fixture([pet(1n, ', "statsu": "sold"')]), 'mine.json: pets[0]/statsu is not known here; did you mean status?'],
    [fixture([pet(4n), pet(5n), pet(4n)]), 'mine.json: pets[2]/id must be an id of its own; 4 is taken by pets[0]'],
    [
      fixture(['{ "id": 4, "name": "Rex" }', pet(4n)]),
      /^mine\.json: pets\[0\]\/categoryId is required/,
      'mine.json: pets[1]/id must be an id of its own; 4 is taken by pets[0]',
    ],
  ])('says file, place and what to write: %s', async (text, ...expected) => {
    await write('mine.json', text);
    const lines = await rejection();
    expect(lines).toHaveLength(expected.length);
    for (const [index, line] of expected.entries()) {
      if (line instanceof RegExp) expect(lines[index]).toMatch(line);
      else expect(lines[index]).toBe(line);
    }
  });

  it('has all its problems named at once: twenty in words, the rest as a number', async () => {
    await write('mine.json', fixture(Array.from({ length: 24 }, () => '{ "id": 1, "name": 5 }')));
    const lines = await rejection();
    expect(lines).toHaveLength(21);
    expect(lines[0]).toMatch(/^mine\.json: pets\[0\]\/name /);
    expect(lines[1]).toMatch(/^mine\.json: pets\[0\]\/categoryId /);
    expect(lines[20]).toBe('mine.json: and 51 more');
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
  const loadOf = async (text: string) => {
    await write('mine.json', text);
    return (await opened()).load('mine');
  };

  it.each([
    ['1 without pets', fixture([]), 1n],
    ['one above the largest', fixture([pet(9n), pet(-3n)]), 10n],
    ['one above the largest, also below zero', fixture([pet(-9n), pet(-3n)]), -2n],
    ['beyond int64 when the largest is taken', fixture([pet(INT64_MAX)]), INT64_MAX + 1n],
    ['what the file says', fixture([pet(9n)], ', "nextId": 1000'), 1000n],
    ['what the file says, also below its pets', fixture([pet(9n)], ', "nextId": -7'), -7n],
    [
      'what the file says for generated pets',
      '{ "description": "d", "nextId": 5, "generate": { "count": 3, "seed": 0 } }',
      5n,
    ],
  ])('names the first id to give out: %s', async (_, text, nextId) => {
    expect((await loadOf(text)).nextId).toBe(nextId);
  });

  it('is rejected when its file changed or went since the start, and taken again once it is put back', async () => {
    await write('mine.json', fixture([pet(1n)]));
    const fixtures = await opened();
    await write('mine.json', fixture([pet(2n)]));
    await expect(fixtures.load('mine')).rejects.toThrow('mine.json: changed since the start; restart');
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
      await expect(fixtures.load(name)).rejects.toThrow(
        new FixtureError('there is no fixture of that name; there are mine'),
      );
    }
  });
});
