/** `petstore-sandbox fixtures`, and `--fixture-file`. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { newFolder } from '../support/folder.ts';
import { listen } from '../support/listen.ts';
import { type Ran, runProgram } from '../support/program.ts';
import { startTestServer } from '../support/server.ts';
import { limit } from '../support/slow.ts';

const server = await startTestServer();

let directory: string;
beforeEach(async () => {
  directory = await newFolder();
});

const run = (args: readonly string[], key?: string): Promise<Ran> =>
  runProgram(args, { SANDBOX_URL: server.url, ...(key !== undefined && { SANDBOX_KEY: key }) });

/** The path of a file with this text. */
async function fileOf(name: string, text: string | Buffer): Promise<string> {
  const path = join(directory, name);
  await writeFile(path, text);
  return path;
}

/** A key to a sandbox with the pets of a file, made by the program. */
async function seeded(path: string): Promise<string> {
  const { code, stdout, stderr } = await run(['keys', 'create', '--fixture-file', path, '--json']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout).key;
}

/** What the program says of a file that is wrong, without the folder. */
async function complaint(path: string): Promise<string> {
  const { code, stdout, stderr } = await run(['keys', 'create', '--fixture-file', path]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  return stderr.replaceAll(`${directory}/`, '');
}

const pets = async (key: string): Promise<string> => (await server.client(key).get('/v1/pets?limit=100')).text;

describe('--fixture-file', () => {
  it('makes a sandbox with exactly these pets, and puts one back to them', async () => {
    const text = '{"pets":[{"id":9007199254740993,"name":"Rex","categoryId":1,"status":"sold"}],"nextId":7}';
    const path = await fileOf('pets.json', text);
    const key = await seeded(path);
    expect(await pets(key)).toBe('[{"id":9007199254740993,"name":"Rex","categoryId":1,"status":"sold"}]');
    const other = await server.sandbox();
    const reset = await run(['reset', '--fixture-file', path], other.key);
    expect(reset).toMatchObject({ code: 0, stdout: expect.stringContaining('to fixture inline: 1 pet, next id 7') });
    const exec = await run(['exec', '--fixture-file', path, '--', process.execPath, '-e', LISTS]);
    expect(exec.stdout).toBe('[{"id":9007199254740993,"name":"Rex","categoryId":1,"status":"sold"}]');
  });

  it('reads CSV: quotes, line breaks, other line ends, empty cells, and every digit', async () => {
    const rows = [
      '\ufeffid,name,categoryId,status',
      '-9223372036854775808,"Rex, ""the""\r\nDog",9007199254740993,sold',
      '',
      '3,,1,',
    ];
    const key = await seeded(await fileOf('pets.csv', `${rows.join('\r\n')}\r\n`));
    expect(await pets(key)).toBe(
      '[{"id":-9223372036854775808,"name":"Rex, \\"the\\"\\r\\nDog","categoryId":9007199254740993,"status":"sold"},{"id":3,"name":"","categoryId":1}]',
    );
    const bare = await seeded(await fileOf('bare.CSV', 'categoryId,id,name\n1,2,Rex'));
    expect(await pets(bare)).toBe('[{"id":2,"name":"Rex","categoryId":1}]');
  });

  it.each([
    ['a.json', '{"pets":', 'a.json: not valid JSON: expected a value at position 8'],
    ['a.csv', 'id,name,categoryId\n1,A,1\n07,B,1.5\n1,C,x\n', 'a.csv: line 3/id must be an integer'],
    ['a.csv', 'id,name,categoryId\n1,A,1\n1,C,2\n', 'a.csv: line 3/id must be an id of its own; 1 is taken by line 2'],
    ['a.csv', 'id,name,categoryId\n9223372036854775808,A,1\n', 'got 9223372036854775808'],
    [
      'a.csv',
      'id,name,categoryId,status\n1,A,1,lost\n',
      'line 2/status must be one of available, pending, sold; got "lost"',
    ],
    ['a.csv', 'id,nme,id\n', 'a.csv: line 1: the column nme is not known here; did you mean name?'],
    ['a.csv', '', 'a.csv: line 1: the column id is missing'],
    ['a.csv', 'id;name;categoryId\n1;Rex;1\n', 'a.csv: line 1: the columns are separated by semicolons; use commas'],
    ['a.csv', 'id,name,categoryId\n1,"A,1\n', 'a.csv: Quote Not Closed'],
    ['a.json', Buffer.from([0x22, 0xff, 0x22]), 'a.json cannot be read'],
  ])('names what is wrong in %s: %j', async (name, text, message) => {
    expect(await complaint(await fileOf(name, text))).toContain(message);
  });

  it('is rejected beside --fixture, for a file that is not there, and for one that never ends', async () => {
    expect(await complaint(join(directory, 'none.json'))).toContain('none.json cannot be read: ENOENT');
    expect(await complaint('/dev/zero')).toContain('/dev/zero cannot be read: it has more than 33554432 bytes');
    const both = await run(['keys', 'create', '--fixture', 'empty', '--fixture-file', 'x.json']);
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining("cannot be used with option '--fixture")]);
  });
});

/** A client that prints the pets. */
const LISTS = `fetch(process.env.SANDBOX_URL + '/pets', { headers: { Authorization: 'Bearer ' + process.env.SANDBOX_KEY } })
  .then((response) => response.text()).then((text) => process.stdout.write(text))`;

describe('petstore-sandbox fixtures', () => {
  it(
    'saves the present pets as a file that check passes, and that gives the same sandbox',
    async () => {
      const client = await server.sandbox({ fixture: 'boundary' });
      await client.post('/_sandbox/pets', { count: 3000, seed: 1 });
      await mkdir(join(directory, 'mine'));
      const file = join(directory, 'mine', 'saved.json');
      const saved = await run(['fixtures', 'save', file], client.key);
      expect(saved).toMatchObject({
        code: 0,
        stderr: '',
        stdout: expect.stringMatching(/^saved .*saved\.json: \d+ bytes; .* as saved\n$/),
      });
      const { text } = await client.get('/_sandbox/export');
      expect(await readFile(file, 'utf8')).toBe(text);
      expect(await readdir(join(directory, 'mine'))).toEqual(['saved.json']);
      expect((await run(['fixtures', 'check', join(directory, 'mine')])).stdout).toContain('nothing wrong');
      const key = await seeded(file);
      expect((await server.client(key).get('/_sandbox/export')).text).toBe(text);
    },
    limit(30_000),
  );

  it('writes the whole file or none, and says why', async () => {
    const url = await listen((_, response) => {
      response.writeHead(200, { 'Sandbox-Request-Id': 'req_1', 'Content-Type': 'application/json' });
      response.write('{"description":', () => response.destroy());
    });
    const file = await fileOf('saved.json', 'before');
    const broken = await runProgram(['fixtures', 'save', file], { SANDBOX_URL: url, SANDBOX_KEY: 'k'.repeat(20) });
    expect([broken.code, broken.stderr]).toEqual([3, expect.stringContaining('cannot be reached')]);
    expect([await readdir(directory), await readFile(file, 'utf8')]).toEqual([['saved.json'], 'before']);
    const client = await server.sandbox();
    const nowhere = await run(['fixtures', 'save', join(directory, 'none', 'a.json')], client.key);
    expect([nowhere.code, nowhere.stderr]).toEqual([2, expect.stringContaining('a.json cannot be written: ENOENT')]);
    const named = await run(['fixtures', 'save', join(directory, 'My Pets.json')], client.key);
    expect([named.code, named.stderr]).toEqual([2, expect.stringContaining('the name must be 1 to 64 of a-z')]);
  });
});
