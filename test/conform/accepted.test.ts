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
  /** A run that only reads, unless the options say otherwise. */
  const against = async (fault: Fault, options: Partial<ConformOptions>): Promise<Conformance> => {
    const { key = '' } = await server.sandbox();
    return run(await startWrongServer(server.url, key, fault), key, { allowCreate: false, ...options });
  };

  test('are no failure where their rule is ignored', async () => {
    const ignored = await against('no Sunset', { ignored: new Set<ConformRule>(['sunset']) });
    expect(ignored).toMatchObject({ verdict: 'conforms', counts: { differs: 0, accepted: 1 } });
    expect(found(ignored)).toEqual(['sunset']);
  });

  test('are failures beside one that is known, and where another rule is ignored', async () => {
    const known = [{ rule: 'head', check: 'HEAD of a pet: 200 without a body' }] as const;
    const one = await against('no HEAD', { known, ignored: new Set<ConformRule>(['sunset']) });
    expect(one).toMatchObject({ verdict: 'differs', stale: [], counts: { differs: 3, accepted: 1 } });
  });

  test('fail the run when they are gone', async () => {
    const gone = { rule: 'sunset', check: 'getPet announces its removal' } as const;
    const conformance = await against('no HEAD', { known: [{ rule: 'head' }, gone] });
    expect(conformance).toMatchObject({ verdict: 'stale', stale: [gone], counts: { differs: 0 } });
  });

  test('are no failure where all of a rule are known, nor taken for gone where their check was skipped', async () => {
    const known = [
      { rule: 'pet-created' },
      { rule: 'method-rejected', check: 'POST /v1/pets/zzz: 405' },
      { rule: 'head' },
    ] as const;
    const some = await against('no HEAD', { known });
    expect(some).toMatchObject({ verdict: 'conforms', stale: [], counts: { differs: 0, accepted: 4 } });
    expect(await against('no HEAD', { known, allowCreate: true })).toMatchObject({ stale: known.slice(0, 2) });
  });
});
