/** `petstore-sandbox fixtures`, and `--fixture-file`. */
import { copyFile, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { newFolder } from '../support/folder.ts';
import { listen } from '../support/ports.ts';
import { runProgram, startProgram } from '../support/program.ts';
import { startTestServer } from '../support/server.ts';
import { limit } from '../support/slow.ts';
import { asUser, script } from './support.ts';

const server = await startTestServer();
const nobody = asUser({ SANDBOX_URL: server.url });
const ownerOf = (key: string | undefined) => asUser({ SANDBOX_URL: server.url, SANDBOX_KEY: key });

let directory: string;
beforeEach(async () => {
  directory = await newFolder();
});

/** The path of a file with this text. */
async function fileOf(name: string, text: string | Buffer): Promise<string> {
  const path = join(directory, name);
  await writeFile(path, text);
  return path;
}

/** A client of a sandbox with the pets of a file, made by the program. */
const seeded = async (path: string) =>
  server.client((await nobody.json(`keys create --json --fixture-file ${path}`)).key);

const petsOf = async (path: string): Promise<string> => (await (await seeded(path)).get('/v1/pets?limit=100')).text;

describe('--fixture-file', () => {
  it('makes a sandbox with exactly these pets, and puts one back to them', async () => {
    const pets = '[{"id":9007199254740993,"name":"Rex","categoryId":1,"status":"sold"}]';
    const path = await fileOf('pets.json', `{"pets":${pets},"nextId":7}`);
    expect(await petsOf(path)).toBe(pets);
    const [reset] = await ownerOf((await server.sandbox()).key).lines(`reset --fixture-file ${path}`);
    expect(reset).toContain('to fixture inline: 1 pet, next id 7');
    const lists = script(`process.stdout.write(await (await get('/pets')).text());`);
    const exec = await runProgram(['exec', '--url', server.url, '--fixture-file', path, ...lists]);
    expect(exec.stdout).toBe(pets);
  });

  it('reads CSV: quotes, line breaks, other line ends, empty cells, and every digit', async () => {
    const text =
      '\ufeffid,name,categoryId,status\r\n-9223372036854775808,"Rex, ""the""\r\nDog",9007199254740993,sold\r\n\r\n3,,1,\r\n';
    expect(await petsOf(await fileOf('pets.csv', text))).toBe(
      '[{"id":-9223372036854775808,"name":"Rex, \\"the\\"\\r\\nDog","categoryId":9007199254740993,"status":"sold"},{"id":3,"name":"","categoryId":1}]',
    );
    const bare = await fileOf('bare.CSV', 'categoryId,id,name\n1,2,Rex');
    expect(await petsOf(bare)).toBe('[{"id":2,"name":"Rex","categoryId":1}]');
  });

  it.each([
    ['semicolons', '\ufeffid;name;categoryId\r\n1;"Rex, the dog";1\r\n;;\r\n'],
    ['a first line of Excel', 'sep=,\nid,name,categoryId\n1,"Rex, the dog",1\n'],
    ['columns without a name', 'id;name;categoryId;status;;\r\n1;"Rex, the dog";1;;;\r\n;;;;;\r\n'],
    ['fewer separators where cells are empty', 'id,name,categoryId,status,\r\n1,"Rex, the dog",1\r\n'],
    ['JSON by the name of CSV', '{"pets":[{"id":1,"name":"Rex, the dog","categoryId":1}]}'],
  ])('reads a file with %s', async (_what, text, name = 'pets.csv') => {
    expect(await petsOf(await fileOf(name, text))).toBe('[{"id":1,"name":"Rex, the dog","categoryId":1}]');
  });

  it('reads standard input, by its content', async () => {
    const { child, ended } = startProgram(['keys', 'create', '--json', '--url', server.url, '--fixture-file', '-']);
    child.stdin.end('id,name,categoryId\n1,Rex,1\n');
    const { key } = JSON.parse((await ended).stdout);
    expect((await server.client(key).get('/v1/pets')).text).toBe('[{"id":1,"name":"Rex","categoryId":1}]');
  });

  it.each([
    ['a.json', '{"pets":', 'a.json: not valid JSON: expected a value at position 8'],
    [
      'a.csv',
      'id,name,categoryId\n1,A,1\n07,B,1.5\n1,C,x\n',
      'a.csv: line 3/id is an integer in plain digits; "07" was sent',
    ],
    ['a.csv', 'id,name,categoryId\n1,A,1\n1,C,2\n', 'a.csv: line 3/id is an id of its own; 1 is taken by line 2'],
    ['a.csv', 'id,name,categoryId\n9223372036854775808,A,1\n', '; 9223372036854775808 was sent'],
    ['a.csv', 'id,name,categoryId,status\n1,A,1,lost\n', 'one of available, pending, sold; "lost" was sent'],
    ['a.csv', 'id,nme,id\n', 'a.csv: line 1: the column nme is not known here; did you mean name?'],
    ['a.csv', '', 'a.csv: line 1: the column id is missing'],
    ['a.csv', 'id,name,categoryId,\n1,A,1,x\n', 'line 2 has 4 cells, and the first line names 3 columns'],
    ['a.csv', 'id,name,categoryId\n1,A\n', 'line 2 has 2 cells, and the first line names 3 columns'],
    [
      'a.csv',
      'id,name,categoryId\n9.22337E+18,A,1\n',
      'line 2/id is an integer in plain digits; "9.22337E+18" was sent. A spreadsheet',
    ],
    ['a.csv', Buffer.from('\ufeffid,name,categoryId\n', 'utf16le'), 'it is not UTF-8; save it as UTF-8'],
    ['a.csv', 'id,name,categoryId\n1,"A,1\n', 'a.csv: Quote Not Closed'],
    ['a.json', Buffer.from([0x22, 0xff, 0x22]), 'a.json cannot be read'],
  ])('names what is wrong in %s: %j', async (name, text, message) => {
    const said = await nobody.complaint(`keys create --fixture-file ${await fileOf(name, text)}`);
    expect(said.replaceAll(`${directory}/`, '')).toContain(message);
  });

  it.each([
    ['none.json', 'none.json cannot be read: ENOENT'],
    ['/dev/zero', '/dev/zero cannot be read: it has more than 33554432 bytes'],
    ['x.json --fixture empty', "cannot be used with option '--fixture"],
  ])('is rejected: %s', async (file, message) => {
    expect(await nobody.complaint(`keys create --fixture-file ${file}`)).toContain(message);
  });
});

describe('a server of --start', () => {
  it('takes settings of serve, and an error names the file and the setting', async () => {
    const pets = Array.from({ length: 20_000 }, (_, id) => `{"id":${id},"name":"${'x'.repeat(30)}","categoryId":1}`);
    const path = await fileOf('large.json', `{"pets":[${pets}]}`);
    const run = (flags: string[], environment = {}) =>
      runProgram(['exec', '--start', ...flags, ...script(`await get('/pets');`)], environment);
    const tooLarge = await run(['--fixture-file', path]);
    expect(tooLarge).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /--fixture-file \S*large\.json is too large: .*1048576 bytes.*--fixtures.*--fixture/,
      ),
    });
    const [named, directory] = [['--fixture', 'large-one'], dirname(path)];
    const described = join(directory, 'large-one.json');
    await copyFile(path, described);
    expect(await run([...named, '--fixtures', directory])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('large-one.json: description is missing'),
    });
    await rm(path);
    await writeFile(described, `{"description":"Many pets","pets":[${pets}]}`);
    expect((await run([...named, '--fixtures', directory])).code).toBe(0);
    expect((await run(named, { SANDBOX_FIXTURES: directory })).code).toBe(0);
    expect(await nobody.complaint('drill --max-body 4MiB -- true')).toContain('--max-body has an effect with --start');
    expect(await nobody.complaint('drill --start --max-body 4 -- true')).toContain('--max-body is a size');
  });
});

describe('petstore-sandbox fixtures', () => {
  it(
    'saves the present pets as a file that check passes, and that gives the same sandbox',
    async () => {
      const client = await server.sandbox({ fixture: 'boundary' });
      await client.post('/_sandbox/pets', { count: 3000, seed: 1 });
      const path = join(directory, 'saved.json');
      const saved = await ownerOf(client.key).run(`export --format fixture --out ${path}`);
      expect(saved).toEqual({ code: 0, stdout: '', stderr: `petstore-sandbox: wrote ${path}; it contains no key\n` });
      const { text } = await client.get('/_sandbox/export');
      expect(await readFile(path, 'utf8')).toBe(text);
      expect((await nobody.lines(`fixtures check ${directory}`)).at(-1)).toContain('nothing wrong');
      expect((await (await seeded(path)).get('/_sandbox/export')).text).toBe(text);
    },
    limit(30_000),
  );

  it('check needs a directory, and a fixture in it', async () => {
    expect((await nobody.lines(`fixtures check ${directory}`, 1))[0]).toContain('no fixtures');
    expect(await nobody.complaint(`fixtures check ${directory}/none`)).toContain('is not a directory');
  });

  it.each(['pets.csv', 'PETS.CSV', 'Pets.JSON', 'pets.tsv', 'pets.jsonl'])(
    'check rejects what the server would not read: %s',
    async (name) => {
      await fileOf('good.json', '{"description":"Good.","pets":[]}');
      await fileOf(name, 'id,name,categoryId\n1,Rex,1\n');
      const [said] = await nobody.lines(`fixtures check ${directory}`, 1);
      expect(said).toContain(`${name}: only files that end in .json are read`);
    },
  );

  it('export writes the whole file or none, and says why', async () => {
    const url = await listen((_, response) => {
      response.writeHead(200, { 'Sandbox-Request-Id': 'req_1', 'Content-Type': 'application/json' });
      response.write('{"description":', () => response.destroy());
    });
    const file = await fileOf('saved.json', 'before');
    const { complaint } = asUser({ SANDBOX_URL: url, SANDBOX_KEY: 'k'.repeat(20) });
    expect(await complaint(`export --format fixture --out ${file}`, 3)).toContain('cannot be reached');
    expect([await readdir(directory), await readFile(file, 'utf8')]).toEqual([['saved.json'], 'before']);
  });
});
