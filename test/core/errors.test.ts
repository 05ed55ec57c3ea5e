/** The table of error codes, the specifications and docs/errors.md say the same. */
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { ERROR_STATUS } from '../../src/core/errors.ts';

const read = (path: string): Promise<string> => readFile(new URL(`../../${path}`, import.meta.url), 'utf8');

/** What a fault answers has the status that the fault names. */
const WITHOUT_STATUS = ['injected_fault'];
const codes = [...Object.keys(ERROR_STATUS), ...WITHOUT_STATUS].sort();

describe('the table of error codes', () => {
  test('is the list of codes in spec/control-api.yaml', async () => {
    const { components } = parse(await read('spec/control-api.yaml'));
    expect([...components.schemas.ErrorCode.enum].sort()).toEqual(codes);
  });

  test('is the table of codes and statuses in docs/errors.md', async () => {
    const table = rowsOf(await read('docs/errors.md'));
    expect(table.map(([code]) => code).sort()).toEqual(codes);
    for (const [code, status] of table) {
      if (!WITHOUT_STATUS.includes(code))
        expect(`${code} ${status}`).toBe(`${code} ${ERROR_STATUS[code as keyof typeof ERROR_STATUS]}`);
    }
  });

  test('fits what the specifications show: every example of an error has a code of the table, with its status', async () => {
    for (const path of ['spec/openapi.yaml', 'spec/control-api.yaml']) {
      const examples = errorsIn(parse(await read(path)));
      expect(examples.length).toBeGreaterThan(3);
      for (const { code, status } of examples)
        expect({ code, status }).toEqual({ code, status: ERROR_STATUS[code as keyof typeof ERROR_STATUS] });
    }
  });
});

/** The rows of the table whose head begins with `| code | status |`: code and status. */
function rowsOf(text: string): [string, string][] {
  const lines = text.split('\n');
  const head = lines.findIndex((line) => /^\|\s*code\s*\|\s*status\s*\|/i.test(line));
  const end = lines.findIndex((line, index) => index > head && !line.startsWith('|'));
  return (head < 0 ? [] : lines.slice(head + 2, end < 0 ? undefined : end)).map((line) => {
    const [, code = '', status = ''] = line.split('|').map((cell) => cell.trim().replaceAll('`', ''));
    return [code, status];
  });
}

/** Every Error body anywhere in a specification. */
function errorsIn(node: unknown): { code: string; status: number }[] {
  if (typeof node !== 'object' || node === null) return [];
  const { code, message, status } = node as Record<string, unknown>;
  const here =
    typeof code === 'string' && typeof message === 'string' && typeof status === 'number' ? [{ code, status }] : [];
  return [...here, ...Object.values(node).flatMap(errorsIn)];
}
