/** What the program says of a call that is wrong: what was wrong, and what was probably meant. */
import { describe, expect, it } from 'vitest';
import { newFolder } from '../support/folder.ts';
import { runInProcess } from '../support/in-process.ts';
import { runProgram } from '../support/program.ts';
import { startTestServer } from '../support/server.ts';
import { asUser } from './support.ts';

const offline = asUser();

describe('a wrong call ends with 2', () => {
  it.each([
    ['exprot', "unknown command 'exprot'; did you mean export?\nSee npx petstore-sandbox --help.\n"],
    [
      'keys create --lable mine',
      "unknown option '--lable'; did you mean --label?\nSee npx petstore-sandbox keys create --help.\n",
    ],
    [
      '--port 0 export',
      "too many arguments for 'serve'. Expected 0 arguments but got 1.\nSee npx petstore-sandbox serve",
    ],
    ['--prot=4020', "unknown option '--prot'; did you mean --port?"],
    ['keys create --quiet --json', "option '--quiet' cannot be used with option '--json'"],
    ['--port x', '--port is an integer from 0 to 65535; "x" was given\n'],
    ['--port', "option '--port <port>' argument missing"],
    ['--data --memory', '--data is a directory; "--memory" was given'],
    [
      'requests list --operation listPet',
      '--operation is one of listPets, createPet, getPet; "listPet" was given; did you mean listPets?',
    ],
    ['report --format junit --out a.xml', "option '--format <form>' cannot be used with option '--out <file>'"],
    ['exec --start --url http://127.0.0.1:1 -- true', "option '--start' cannot be used with option '--url <url>'\nSee"],
    ['exec --start sh -c true', "unknown option '-c'; if it belongs to your command, put -- before that\n"],
    [
      'report --merge none/*.json',
      '--merge: there is no report:\nnone/*.json is not counted: there is no such file; your shell does not expand',
    ],
    [
      'exec --start node --test',
      "unknown option '--test'; did you mean --host?; if it belongs to your command, put --",
    ],
    // As of variables that are not set.
    ['exec --start -- ', "argument 'command' is empty; give a value"],
    ['faults clear ', "argument 'id' is empty; give a value"],
    ['exec --start --artifacts  -- true', '--artifacts is a directory; "" was given'],
  ])('%s', async (line, message) => {
    const said = await offline.complaint(line);
    expect(said).toContain(`petstore-sandbox: ${message}`);
    expect(said).not.toContain('error:');
  });

  it.each([
    ['reset --admin-tokn=hush-hush-hush-hush', "unknown option '--admin-tokn'; did you mean --admin-token?", {}],
    ['petsbx_hushhushhush', "unknown command '[key]'", {}],
    ['--memory --api-key hush-hush', '--api-key is 16 to 256 characters', {}],
    ['--memory', 'SANDBOX_ADMIN_TOKEN is 16 to 256 characters', { SANDBOX_ADMIN_TOKEN: 'hush-hush' }],
  ])('without a word of what may be a secret: %s', async (line, message, environment) => {
    const said = await asUser(environment).complaint(line);
    expect(said).toContain(message);
    expect(said).not.toContain('hush');
  });
});

describe('--out is checked before any work', () => {
  it.each([
    [
      'missing/report.json',
      ': there is no directory FOLDER/missing; create it first',
      ['report', 'export', 'exec -- true', 'drill -- true'],
    ],
    ['file/report.json', ': there is no directory FOLDER/file; create it first', ['report']],
    ['.', ' is a directory; name a file in it', ['export']],
  ])('%s', async (name, message, calls) => {
    const folder = await newFolder({ file: '' });
    const out = `${folder}/${name}`;
    for (const call of calls) {
      // Nothing listens there: with work begun, it would end with 3.
      const line = call.replace(/ |$/, ` --url http://127.0.0.1:9/v1 --out ${out} `).trim();
      expect(await asUser({ SANDBOX_KEY: 'k'.repeat(16) }).complaint(line)).toBe(
        `petstore-sandbox: --out ${out}${message.replace('FOLDER', folder)}\n`,
      );
    }
  });
});

/** A secret of a user, in a form that nothing of ours has. */
const HIDDEN = 'hunter2-of-a-user';
it.each<[args: string[], environment: Record<string, string>]>([
  [['serve'], { SANDBOX_TLS_CERT: `-----BEGIN CERTIFICATE-----\n${HIDDEN}`, SANDBOX_TLS_KEY: 'key.pem' }],
  [['serve'], { SANDBOX_TLS_CERT: 'cert.pem', SANDBOX_TLS_KEY: `-----BEGIN PRIVATE KEY-----\n${HIDDEN}` }],
  [['serve'], { SANDBOX_PORT: `${HIDDEN}-0123456789` }],
  [['serve'], { SANDBOX_PUBLIC_URL: `http://localhost/?token=${HIDDEN}` }],
  [['serve'], { SANDBOX_FIXTURES: `{"key":"${HIDDEN}"}` }],
  [['serve'], { SANDBOX_DATA: `/proc/{"key":"${HIDDEN}"}` }],
  [['requests', 'list'], { SANDBOX_URL: `http://localhost/v1?key=${HIDDEN}` }],
  [['requests', 'list', '--cacert', `-----BEGIN CERTIFICATE-----\n${HIDDEN}`], {}],
  [['report', '--har', `{"log":{"entries":["${HIDDEN}"]}}`], {}],
  [['report', '--merge', `{"verdict":"${HIDDEN}"}`], {}],
])('a value that may be a secret is not repeated: %j %j', async (args, environment) => {
  const { code, stdout, stderr } = await runProgram(args, { SANDBOX_MEMORY: '', ...environment });
  expect(code).toBe(2);
  expect(stdout + stderr).not.toContain(HIDDEN);
});

it('takes a key as files and shells hand it on, with a line break at its end', async () => {
  const server = await startTestServer();
  const { key } = await server.sandbox();
  const environment = { SANDBOX_URL: `${server.url}/v1\r\n`, SANDBOX_KEY: `${key}\r\n` };
  expect(await runInProcess(['clock', 'show'], environment)).toMatchObject({ code: 0, stderr: '' });
});
