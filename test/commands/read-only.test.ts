/** Places in which nothing can be written: a container that can be read only, a user without a home. */
import { describe, expect, test } from 'vitest';
import { runProgram, startProgram } from '../support/program.ts';
import { limit } from '../support/slow.ts';

describe.runIf(process.platform === 'linux')('where nothing can be written', () => {
  test('--tls self-signed works without a directory for temporary files', async () => {
    const flags = ['serve', '--memory', '--tls', 'self-signed', '--port', '0', '--log-format', 'json'];
    const { said } = startProgram(flags, { TMPDIR: '/proc/none', HOME: '/proc/none' });
    await expect.poll(() => said.stdout, { timeout: limit(20_000) }).toMatch(/"url":"https:.*"listening"/);
  });

  test.each(['/proc/x', '/proc/x/y', '/dev/null', '/dev/null/x', '/sys/x'])(
    '--data %s is one line',
    async (directory) => {
      const { code, stderr } = await runProgram(['serve', '--port', '0', '--data', directory]);
      expect(code).toBe(2);
      expect(stderr).toMatch(/^petstore-sandbox: the data directory \S+ cannot be used \([^\n]+\n$/);
    },
  );
});
