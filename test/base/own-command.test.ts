/** The program's own name in what it prints. */
import { afterEach, expect, it } from 'vitest';
import { ownCommand } from '../../src/base/own-command.ts';

const [node = '', called = ''] = process.argv;
const { npm_command: command } = process.env;
afterEach(() => {
  process.argv.splice(0, 2, node, called);
  setNpmCommand(command);
});

it.each([
  ['/usr/local/bin/petstore-sandbox', undefined, 'petstore-sandbox open'],
  ['/usr/local/bin/petstore-sandbox', 'exec', 'npx petstore-sandbox open'],
  ['/project/node_modules/.bin/petstore-sandbox', undefined, 'npx petstore-sandbox open'],
  ['/clone/scripts/petstore-sandbox.mjs', undefined, 'npx petstore-sandbox open'],
])('called as %s under npm %s, the program prints %j', (path, by, printed) => {
  process.argv[1] = path;
  setNpmCommand(by);
  expect(ownCommand('open')).toBe(printed);
});

function setNpmCommand(value: string | undefined): void {
  if (value === undefined) delete process.env['npm_command'];
  else process.env['npm_command'] = value;
}
