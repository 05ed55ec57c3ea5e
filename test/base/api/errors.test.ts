/** The table of error codes and the examples of the specifications say the same. */
import { expect, test } from 'vitest';
import { ERROR_STATUS } from '../../../src/base/api/errors.ts';
import controlApi from '../../../src/base/generated/control-api.json' with { type: 'json' };
import petstore from '../../../src/base/generated/petstore.json' with { type: 'json' };

/** Every Error body anywhere in a specification. */
function errorsIn(node: unknown): { code: string; status: number }[] {
  if (typeof node !== 'object' || node === null) return [];
  const { code, message, status } = node as Record<string, unknown>;
  const isError = typeof code === 'string' && typeof message === 'string' && typeof status === 'number';
  return [...(isError ? [{ code, status }] : []), ...Object.values(node).flatMap(errorsIn)];
}

test.each(Object.entries({ petstore, controlApi }))(
  'each example of an error has a code of the table: %s',
  (_, api) => {
    const examples = errorsIn(api);
    expect(examples.length).toBeGreaterThan(3);
    for (const { code, status } of examples) expect([code, ERROR_STATUS[code as 'conflict']]).toEqual([code, status]);
  },
);
