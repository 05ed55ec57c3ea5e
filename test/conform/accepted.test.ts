import { beforeAll, describe, expect, test } from 'vitest';
import type { Conformance, ConformOptions } from '../../src/conform/conform.ts';
import type { ConformRule } from '../../src/conform/rules.ts';
import { sharedServer, type TestServer } from '../support/server.ts';
import { found, run } from './run.ts';
import { type Fault, startWrongServer } from './wrong-server.ts';

describe('accepted differences', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await sharedServer();
  });
  const against = async (fault: Fault, options: Partial<ConformOptions>): Promise<Conformance> => {
    const { key = '' } = await server.sandbox();
    return run(await startWrongServer(server.url, key, fault), key, options);
  };

  test('are no failure where their rule is ignored; others still are', async () => {
    const ignored = await against('no Sunset', { ignored: new Set<ConformRule>(['sunset']) });
    expect(ignored).toMatchObject({ verdict: 'conforms', counts: { differs: 0, accepted: 1 } });
    expect(found(ignored)).toEqual(['sunset']);
    const other = await against('no Sunset', { ignored: new Set<ConformRule>(['head']) });
    expect(other.verdict).toBe('differs');
  });

  test('are no failure where they are known: all of a rule, or that of one check', async () => {
    const both = await against('no HEAD', { known: [{ rule: 'head' }] });
    expect(both).toMatchObject({ verdict: 'conforms', stale: [], counts: { differs: 0, accepted: 4 } });
    const known = [{ rule: 'head', check: 'HEAD of a pet: 200 without a body' }] as const;
    const one = await against('no HEAD', { known });
    expect(one).toMatchObject({ verdict: 'differs', stale: [], counts: { differs: 3, accepted: 1 } });
  });

  test('fail the run when they are gone', async () => {
    const gone = { rule: 'sunset', check: 'getPet announces its removal' } as const;
    const conformance = await against('no HEAD', { known: [{ rule: 'head' }, gone] });
    expect(conformance).toMatchObject({ verdict: 'stale', stale: [gone], counts: { differs: 0 } });
  });

  test('are not taken for gone where the check that shows them was skipped', async () => {
    const known = [{ rule: 'pet-created' }, { rule: 'method-rejected', check: 'POST /v1/pets/zzz: 405' }] as const;
    const conformance = await against('no HEAD', { known: [...known, { rule: 'head' }], allowCreate: false });
    expect(conformance).toMatchObject({ verdict: 'conforms', stale: [] });
    expect(await against('no HEAD', { known: [...known, { rule: 'head' }] })).toMatchObject({ stale: known });
  });
});
