import { createHash } from 'node:crypto';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { type NewPet, petOf } from '../../src/base/api/pet.ts';
import specification from '../../src/base/generated/petstore.json' with { type: 'json' };
import { inSlices } from '../../src/base/lane.ts';
import { MAX_GENERATED } from '../../src/base/limits.ts';
import { type GenerateRequest, generatePets, MAX_SEED } from '../../src/sandbox/generate.ts';

const made = (request: GenerateRequest): Promise<NewPet[]> => inSlices<NewPet[]>(generatePets(request));

describe('generated pets', () => {
  it('all pass the specification, and have no member beyond it', async () => {
    const ajv = new Ajv2020({ allErrors: true, strict: false, formats: { int64: true } });
    ajv.addSchema(specification, 'specification');
    const validator = ajv.compile({ $ref: 'specification#/components/schemas/Pet' });
    const known = Object.keys(specification.components.schemas.Pet.properties);
    for (const seed of [0, 1, 42, MAX_SEED]) {
      for (const [index, pet] of (await made({ count: 2_000, seed })).entries()) {
        const served = JSON.parse(petOf(BigInt(index), pet).json);
        expect(validator(served), JSON.stringify([served, validator.errors])).toBe(true);
        expect(known).toEqual(expect.arrayContaining(Object.keys(pet)));
      }
    }
  });

  it('are the same for the same seed, also when calls run into each other', async () => {
    const requests = [5, 6, 5, 9].map((seed) => ({ count: seed === 9 ? 300 : 900, seed }));
    const together = await Promise.all(requests.map(made));
    for (const [index, request] of requests.entries()) expect(together[index]).toEqual(await made(request));
    expect(together[0]).toEqual(together[2]);
    expect(together[0]).not.toEqual(together[1]);
  });

  it('are the same everywhere: these are the pets of seed 20301205', async () => {
    const pets = await made({ count: MAX_GENERATED, seed: 20301205 });
    const text = pets.map((pet, index) => petOf(BigInt(index + 1), pet).json).join('\n');
    expect(text.split('\n').slice(0, 3)).toEqual([
      '{"id":1,"name":"Winnie Bellwether","categoryId":15,"status":"sold"}',
      '{"id":2,"name":"Doctor Dandelion","categoryId":18,"status":"pending"}',
      '{"id":3,"name":"Madame Cedar","categoryId":3,"status":"sold"}',
    ]);
    const digest = createHash('sha256').update(text).digest('hex');
    expect(digest).toBe('0a9790ea827f6497298db16bf841bc24ac8cb8d93b51fb2c054248935040b385');
  });

  it('are the first of more when fewer are asked for', async () => {
    const many = await made({ count: 1_000, seed: 3 });
    for (const count of [1, 150, 200, 333]) expect(await made({ count, seed: 3 })).toEqual(many.slice(0, count));
  });

  it('may pause after 200 of them, and others get their turn in between', async () => {
    let pauses = 0;
    for await (const _ of generatePets({ count: 2_000, seed: 8 })) pauses++;
    expect(pauses).toBe(10);

    let turns = 0;
    let counting = setImmediate(function count() {
      turns += 1;
      counting = setImmediate(count);
    });
    await inSlices(generatePets({ count: MAX_GENERATED, seed: 8 }));
    clearImmediate(counting);
    expect(turns).toBeGreaterThan(2);
  });

  it('cost nothing until they are asked for: the library is imported on the first call', async () => {
    const { metafile } = await build({
      entryPoints: ['src/sandbox/fixtures.ts'],
      bundle: true,
      packages: 'external',
      platform: 'node',
      format: 'esm',
      metafile: true,
      write: false,
    });
    const imports = Object.values(metafile.inputs).flatMap((input) => input.imports);
    const kinds = imports.filter(({ path }) => path === 'json-schema-faker').map(({ kind }) => kind);
    expect(kinds).toEqual(['dynamic-import']);
  });
});
