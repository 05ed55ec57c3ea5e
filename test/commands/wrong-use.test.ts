/** What the program says of a call that is wrong: what was wrong, and what was probably meant. */
import { describe, expect, it } from 'vitest';
import { SETTINGS } from '../../src/settings.ts';
import { runProgram } from '../support/program.ts';

const said = async (line: string): Promise<{ code: number | null; text: string }> => {
  const { code, stdout, stderr } = await runProgram(line.split(' '));
  expect(stdout).toBe('');
  return { code, text: stderr };
};

describe('a wrong call ends with 2', () => {
  it.each([
    ['genrate', "unknown command 'genrate'\n(Did you mean generate?)"],
    ['wiat --timeout 3', "unknown command 'wiat'\n(Did you mean wait?)"],
    ['key create --label mine', "unknown command 'key'\n(Did you mean keys?)"],
    ['--port 0 genrate', "unknown command 'genrate'\n(Did you mean generate?)"],
    ['--port 0 generate', 'the command comes first: petstore-sandbox generate'],
    ['help genrate', "unknown command 'genrate'\n(Did you mean generate?)"],
    ['serve generate', 'serve takes flags only; got "generate"'],
    ['keys craete', "unknown command 'craete'\n(Did you mean create?)"],
    ['generate --cuont 3', "unknown option '--cuont'\n(Did you mean --count?)"],
    ['generate', "required option '--count <n>' not specified"],
    ['generate --count many', "option '--count <n>' argument 'many' is invalid. It must be an integer."],
    ['conform --ulr http://127.0.0.1/v1', "unknown option '--ulr'\n(Did you mean --url?)"],
    ['reset --fixtur=empty', "unknown option '--fixtur'\n(Did you mean --fixture?)"],
    ['--prot=4020', "unknown option '--prot'\n(Did you mean --port?)"],
    ['--data --memory', '--data must be a directory; got "--memory"'],
    ['--fixtures --memory', '--fixtures must be a directory; got "--memory"'],
    ['snapshot save', "missing required argument 'name'"],
  ])('%s', async (line, message) => {
    const { code, text } = await said(line);
    expect(text).toContain(message);
    expect(text.match(/Did you mean/g)?.length ?? 0).toBeLessThan(2);
    expect(code).toBe(2);
  });

  it('without a word of what may be a secret', async () => {
    const { text } = await said('reset --admin-tokn=hush-hush-hush-hush');
    expect(text).toContain("unknown option '--admin-tokn'\n(Did you mean --admin-token?)");
    expect(text).not.toContain('hush');
    expect((await said('petsbx_abcdefghijklmnop')).text).toContain("unknown command '[key]'");
  });
});

it('--help shows the flags that most people need, as they are, and where all are', async () => {
  const { code, stdout } = await runProgram(['--help']);
  expect(code).toBe(0);
  expect(stdout).toContain('serve --help lists all of them');
  for (const setting of [SETTINGS.port, SETTINGS.data, SETTINGS.memory, SETTINGS.keys, SETTINGS.adminToken]) {
    expect(stdout).toContain(`${setting.flag}  `);
    expect(stdout).toContain(setting.help);
  }
});
