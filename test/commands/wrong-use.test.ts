/** What the program says of a call that is wrong: what was wrong, and what was probably meant. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runInProcess } from '../support/in-process.ts';

const said = async (line: string): Promise<{ code: number | null; text: string }> => {
  const { code, stdout, stderr } = await runInProcess(line.split(' '));
  expect(stdout).toBe('');
  return { code, text: stderr };
};

describe('a wrong call ends with 2', () => {
  it.each([
    ['exprot', "unknown command 'exprot'; did you mean export?\nSee petstore-sandbox --help.\n"],
    ['key create --label mine', "unknown command 'key'; did you mean keys?"],
    ['--port 0 export', 'the command comes first: petstore-sandbox export'],
    ['serve export', 'serve takes flags only; got "export"'],
    ['keys craete', "unknown command 'craete'; did you mean create?\nSee petstore-sandbox keys --help.\n"],
    [
      'keys create --lable mine',
      "unknown option '--lable'; did you mean --label?\nSee petstore-sandbox keys create --help.\n",
    ],
    ['--json keys list', "unknown option '--json'; the command comes first: petstore-sandbox keys …"],
    ['keys create --quiet --json', "option '--quiet' cannot be used with option '--json'"],
    ['pets generate', "required option '--count <n>' not specified"],
    ['--prot=4020', "unknown option '--prot'; did you mean --port?"],
    ['--data --memory', '--data must be a directory; got "--memory"'],
    [
      'report --format junit --source-file README.md',
      '--source-file has an effect with --format sarif or github; got --format junit',
    ],
    [
      'exec --source-file README.md -- true',
      '--source-file has an effect with --format sarif or github; got no --format',
    ],
    ['exec --format junit -- true', '--format has an effect with --out: it is the format of that file\n'],
    [
      'requests list --operation listPet',
      '--operation must be one of listPets, createPet, getPet; got "listPet"; did you mean listPets?',
    ],
    ['requests verify --status abc', '--status must be an integer; got "abc"'],
    [
      'serve --log-level dbug',
      '--log-level must be one of fatal, error, warn, info, debug, silent; got "dbug"; did you mean debug?',
    ],
    ['snapshots save', "missing required argument 'name'"],
    ['exec --start sh -c true', "unknown option '-c'; put -- before the command that has it\n"],
    // As of variables that are not set.
    ['exec --start -- ', "argument 'command' is empty; give a value"],
    ['drill --start -- ', "argument 'command' is empty; give a value"],
    ['faults clear ', "argument 'id' is empty; give a value"],
    ['exec --start --artifacts  -- true', '--artifacts must be a directory; got ""'],
    ['exec --start --out  -- true', '--out must be a file; got ""'],
    ['--data  --memory', '--data must be a directory; got ""'],
  ])('%s', async (line, message) => {
    const { code, text } = await said(line);
    expect(text).toContain(`petstore-sandbox: ${message}`);
    expect(text).not.toContain('error:');
    expect(code).toBe(2);
  });

  it('without a word of what may be a secret', async () => {
    const { text } = await said('reset --admin-tokn=hush-hush-hush-hush');
    expect(text).toContain("unknown option '--admin-tokn'; did you mean --admin-token?");
    expect(text).not.toContain('hush');
    expect((await said('petsbx_abcdefghijklmnop')).text).toContain("unknown command '[key]'");
  });
});

describe('--out is checked before any work', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'petstore-out-'));
    await writeFile(join(folder, 'file'), '');
  });
  afterAll(() => rm(folder, { recursive: true }));

  it.each([
    [
      'missing/report.json',
      ': there is no directory FOLDER/missing; create it first',
      ['report', 'export', 'exec -- true', 'drill -- true', 'replay recording.jsonl', 'conform'],
    ],
    ['file/report.json', ': FOLDER/file is not a directory', ['report']],
    ['.', ' is a directory; name a file in it', ['exec -- true']],
  ])('%s', async (name, message, calls) => {
    const out = `${folder}/${name}`;
    // Nothing listens there: with work begun, it would end with 3.
    const ran = await Promise.all(
      calls.map((call) => {
        const [command = '', ...rest] = call.split(' ');
        return runInProcess([
          command,
          '--url',
          'http://127.0.0.1:9/v1',
          '--key',
          'k'.repeat(16),
          '--out',
          out,
          ...rest,
        ]);
      }),
    );
    const stderr = `petstore-sandbox: --out ${out}${message.replace('FOLDER', folder)}\n`;
    expect(ran).toEqual(calls.map(() => ({ code: 2, stdout: '', stderr })));
  });
});
