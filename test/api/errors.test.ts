/** The table of error codes and the examples of the specifications say the same. */
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { ERROR_STATUS } from '../../src/api/errors.ts';

const read = (path: string): Promise<string> => readFile(new URL(`../../${path}`, import.meta.url), 'utf8');

describe('the table of error codes', () => {
  test('fits what the specifications show: every example of an error has a code of the table, with its status', async () => {
    for (const path of ['spec/openapi.yaml', 'spec/control-api.yaml']) {
      const examples = errorsIn(parse(await read(path)));
      expect(examples.length).toBeGreaterThan(3);
      for (const { code, status } of examples)
        expect({ code, status }).toEqual({ code, status: ERROR_STATUS[code as keyof typeof ERROR_STATUS] });
    }
  });
});

/** Every Error body anywhere in a specification. */
function errorsIn(node: unknown): { code: string; status: number }[] {
  if (typeof node !== 'object' || node === null) return [];
  const { code, message, status } = node as Record<string, unknown>;
  const here =
    typeof code === 'string' && typeof message === 'string' && typeof status === 'number' ? [{ code, status }] : [];
  return [...here, ...Object.values(node).flatMap(errorsIn)];
}
