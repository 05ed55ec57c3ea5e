/** Errors that nothing caught. */
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { run } from '../examples/support.ts';
import { newFolder } from '../support/folder.ts';
import { CLI, runProgram } from '../support/program.ts';

const TOKEN = 'an-admin-token-of-this-test';

test.each(['throw error', 'Promise.reject(error)'])(
  'of the program is one line, and its stack is in a file: %s',
  async (what) => {
    const error = `Object.assign(new Error('it broke with ${TOKEN}'), { code: 'E_TEST' })`;
    const failing = `const { Server } = require('node:net');
      const { listen } = Server.prototype;
      Server.prototype.listen = function (...given) {
        this.once('listening', () => setImmediate(() => { const error = ${error}; ${what}; }));
        return listen.apply(this, given);
      };`;
    const folder = await newFolder({ 'failing.cjs': failing });
    const NODE_OPTIONS = `--require ${join(folder, 'failing.cjs')}`;
    const environment = { NODE_OPTIONS, TMPDIR: folder, SANDBOX_ADMIN_TOKEN: TOKEN };
    const { code, stderr } = await runProgram(['serve', '--memory', '--port', '0'], environment);
    expect([code, stderr.split('\n').length]).toEqual([1, 2]);
    const [, file = ''] =
      /^petstore-sandbox: internal error E_TEST: it broke with \S+; details are in (\S+)\n$/.exec(stderr) ?? [];
    const details = await readFile(file, 'utf8');
    expect(details).toContain('failing.cjs');
    expect(stderr + details).not.toContain(TOKEN);
  },
);

/** A program with the library, as each module system loads it. */
const OPENED = `const opened = async (use) => {
  const server = await startSandbox();
  try { await use(server); } finally { await server.close(); }
};`;
const DIST = dirname(CLI);
const url = (name: string): string => JSON.stringify(pathToFileURL(join(DIST, name)).href);
const MODULE = `import { startSandbox } from ${url('index.js')};
  import { drill, expectContractPassed, openSandbox, withSandbox } from ${url('testing.js')}; ${OPENED}`;
const COMMON = `const { startSandbox } = require(${JSON.stringify(join(DIST, 'index.cjs'))});
  const { drill, expectContractPassed, openSandbox, withSandbox } = require(${JSON.stringify(join(DIST, 'testing.cjs'))}); ${OPENED}`;

test.each([
  ["startSandbox({ fixture: 'nope' })", /^SettingsError: there is no fixture named nope/m],
  ["opened((server) => server.reset({ fixture: 'nope' }))", /^ApiError: no fixture named nope/m],
  ["openSandbox({ url: 'http://127.0.0.1:1/v1' })", /^ClientError: http:\/\/127.0.0.1:1 cannot be reached/m],
  [
    "opened((server) => withSandbox(server, ({ client }) => client.text('PUT /drill', { body: {} }), { print() {} }))",
    /^ClientError: body/m,
  ],
  [
    'opened((server) => withSandbox(server, (sandbox) => expectContractPassed(sandbox), { print() {} }))',
    /^ContractError: contract check incomplete: no request was seen/m,
  ],
])('of the library are at most ten lines, the caller among them: %s', async (call, message) => {
  const folder = await newFolder({
    'main.mjs': `${MODULE}\nawait ${call};`,
    'main.cjs': `${COMMON}\nasync function main() {\n  await ${call};\n}\nmain();`,
  });
  for (const file of ['main.mjs', 'main.cjs']) {
    const { code, stderr } = await run(process.execPath, [join(folder, file)], { folder });
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(new RegExp(`\\n    at .*${file}`));
    expect(stderr.trim().split('\n').length).toBeLessThanOrEqual(10);
    expect([code, stderr.length < 1_500, /_[A-Z]\w+(?:Error|Client)/.test(stderr)]).toEqual([1, true, false]);
  }
});
