/** The commands on a sandbox: its keys, pets, snapshots, clock, faults and fixtures. */

import { type FaultValue, faultFieldSchema, faultText, faultTextForm } from '../base/api/fault-text.ts';
import { realClock } from '../base/clock.ts';
import { type FaultField, faultFields } from '../base/generated/facts.ts';
import { ownCommand } from '../base/own-command.ts';
import { SettingsError } from '../base/settings/settings.ts';
import { counted, shellWord, table } from '../base/text.ts';
import { withTime } from '../base/time.ts';
import type { Schema } from '../client/routes.ts';
import { saveUndo } from '../client/undo.ts';
import { type Call, connected, local } from './command.ts';
import { type Flag, JSON_FLAG, NEW_SANDBOX, QUIET } from './flags.ts';
import { complain, during, writeOut } from './terminal.ts';

const { fixtureFile, label } = NEW_SANDBOX;

/** Shows a new key, which is shown only here, with a link to the dashboard where people read it. */
async function showIssued(
  { client, flags, out }: Pick<Call<{ quiet: typeof QUIET }>, 'client' | 'flags' | 'out'>,
  issued: Schema<'IssuedKey'>,
): Promise<undefined> {
  if (flags.quiet || flags.json) return out.show(issued, ({ key }) => [key]);
  const { url: dashboard } = await client.as(issued.key).request('POST /sign-in-codes');
  const lines = table([
    ['key', issued.key],
    ['id', issued.id],
    ['sandbox', issued.sandbox],
    ['url', issued.baseUrl],
    ['shared url', issued.sharedBaseUrl],
    ['dashboard', dashboard],
    ['fixture', issued.fixture],
    ['label', issued.label],
    ['expires', issued.expiresAt ?? 'never'],
  ]);
  return out.show(issued, () => lines);
}

export const KEYS = [
  connected({
    name: 'keys create',
    summary: 'create a sandbox and a key to it',
    control: 'POST /keys',
    as: 'anyone',
    flags: { ...NEW_SANDBOX, quiet: QUIET },
    examples: [
      ['Create a key and keep it in a variable', 'export SANDBOX_KEY=$(petstore-sandbox keys create --quiet)'],
      ['Start without pets; expire after an hour', 'petstore-sandbox keys create --fixture empty --ttl 3600'],
      ['Start with exactly the pets of a file', 'petstore-sandbox keys create --fixture-file pets.csv'],
    ],
    run: async (call) => {
      const fixture = await (await import('./fixture-files.ts')).fixtureOf(call.flags);
      return showIssued(call, await call.client.request('POST /keys', { body: { ...call.fields, fixture } }));
    },
  }),
  connected({
    name: 'keys share',
    summary: 'create a second key to the sandbox',
    control: 'POST /keys',
    flags: {
      label,
      ttlSeconds: { flag: '--ttl <seconds>', help: 'lifetime of the key, at most that of the first' },
      quiet: QUIET,
    },
    examples: [['Create a second key to the same sandbox', 'petstore-sandbox keys share --label frontend']],
    run: async (call) =>
      showIssued(call, await call.client.request('POST /keys', { body: { ...call.fields, shared: true } })),
  }),
  connected({
    name: 'keys list',
    summary: 'list the keys to the sandbox',
    examples: [['List the keys to your sandbox', 'petstore-sandbox keys list']],
    run: async ({ client, out }) =>
      out.show(await client.request('GET /keys'), ({ keys }) => [
        ...table([
          ['ID', 'LABEL', 'CREATED', 'EXPIRES'],
          ...keys.map(({ id, label, createdAt, expiresAt }) => [id, label, createdAt, expiresAt ?? 'never']),
        ]),
        counted(keys.length, 'key'),
      ]),
  }),
  connected({
    name: 'keys revoke',
    summary: 'revoke a key',
    arguments: [['<id>', "the key's id, key_…"]],
    examples: [['Revoke a key by its id', 'petstore-sandbox keys revoke key_8fK2']],
    run: async ({ client, args: [keyId = ''], out }) => {
      await client.request('DELETE /keys/{keyId}', { params: { keyId } });
      return out.show({ revoked: keyId }, () => [`revoked ${keyId}`]);
    },
  }),
];

export const STATE = [
  connected({
    name: 'dashboard',
    summary: 'print a link that opens the dashboard, once, within an hour',
    examples: [['Print a link that signs in', 'petstore-sandbox dashboard']],
    run: async ({ client, out }) => out.show(await client.request('POST /sign-in-codes'), ({ url }) => [url]),
  }),
  connected({
    name: 'reset',
    summary: 'reset the sandbox to its fixture, or to a snapshot',
    control: 'POST /reset',
    flags: {
      fixture: { flag: '--fixture <name>', help: 'reset to another fixture' },
      fixtureFile,
      snapshot: {
        flag: '--snapshot <name>',
        help: 'reset to a snapshot',
        conflicts: ['fixture', 'fixtureFile'],
      },
      requestLog: { flag: '--request-log', help: 'also clear the request log' },
      all: { flag: '--all', help: 'reset every sandbox; needs the admin token' },
    },
    examples: [
      ['Go back to the fixture', 'petstore-sandbox reset'],
      ['Go back to a snapshot', 'petstore-sandbox reset --snapshot before'],
      ['Start from another fixture, with an empty request log', 'petstore-sandbox reset --fixture large --request-log'],
    ],
    run: async ({ client, flags, fields, out }) => {
      const { snapshot, all } = flags;
      const fixture = await (await import('./fixture-files.ts')).fixtureOf(flags);
      const scope = all ? 'all' : undefined;
      // A script needs no way back, and may reset a thousand times.
      const isForPeople = process.stdout.isTTY && !all && !flags.json;
      const undo = isForPeople ? await saveUndo(client, realClock.now()) : undefined;
      const response = await client.request('POST /reset', { query: { scope }, body: { ...fields, fixture } });
      return out.show(response, ({ sandbox, sandboxes }) => {
        if (sandbox === undefined) return [`reset ${counted(sandboxes, 'sandbox').replace(/xs$/, 'xes')}`];
        const { id, pets, nextId } = sandbox;
        const to = snapshot === undefined ? `fixture ${sandbox.fixture}` : `snapshot ${snapshot}`;
        const way =
          undo === undefined
            ? 'it cannot be undone: there is no room for a snapshot of what was there'
            : `to undo it within ten minutes: ${ownCommand(`reset --snapshot ${undo}`)}`;
        const done = `reset ${id} to ${to}: ${counted(pets.total, 'pet')}, next id ${nextId ?? 'none'}`;
        return isForPeople ? [done, way] : [done];
      });
    },
  }),
  connected({
    name: 'pets generate',
    summary: 'add generated pets',
    control: 'POST /pets',
    flags: {
      count: { flag: '--count <n>', help: 'number of pets; required' },
      seed: { flag: '--seed <n>', help: 'the same seed generates the same pets' },
      status: { flag: '--status <status>', help: 'status of all generated pets' },
    },
    examples: [
      ['Add 100 pets', 'petstore-sandbox pets generate --count 100'],
      ['Add the same pets each time', 'petstore-sandbox pets generate --count 100 --seed 7 --status sold'],
    ],
    run: async ({ client, fields, out, environment }) => {
      const adding = client.request('POST /pets', { body: fields });
      const made = await during(`adding ${counted(fields.count, 'pet')}`, adding, environment);
      return out.show(made, ({ count, firstId, lastId, seed }) => [
        `added ${counted(count, 'pet')}, ids ${firstId} to ${lastId}, seed ${seed}`,
      ]);
    },
  }),
  connected({
    name: 'export',
    summary: 'save the sandbox as a file',
    control: 'GET /export',
    flags: {
      format: { flag: '--format <form>', help: 'format of the file (default: recording)' },
      request: { flag: '--request <id>', help: 'only this request, as har or curl' },
      out: { flag: '--out <file>', help: 'write to a file instead of standard output' },
    },
    examples: [
      ['Save the sandbox, to open it elsewhere', 'petstore-sandbox export --out recording.jsonl'],
      ['Save the requests as an HTTP Archive', 'petstore-sandbox export --format har --out requests.har'],
      ['Save the pets as a fixture', 'petstore-sandbox export --format fixture --out fixtures/checkout.json'],
    ],
    run: async ({ client, flags, fields, environment }) => {
      const { format = 'recording', out } = flags;
      const fetching = client.text('GET /export', { query: { ...fields, format } });
      const text = await during('fetching the sandbox', fetching, environment);
      if (out === undefined) process.stdout.write(text);
      else {
        await writeOut('--out', out, text);
        complain(
          `wrote ${out}; ${format === 'recording' ? `${ownCommand(`open ${shellWord(out, process.platform)}`)} shows it` : 'it contains no key'}`,
        );
      }
      return undefined;
    },
  }),
  connected({
    name: 'fork',
    summary: 'copy the sandbox, with a key of its own',
    control: 'POST /fork',
    flags: {
      label,
      ttlSeconds: { flag: '--ttl <seconds>', help: 'lifetime of the key, at most that of this sandbox' },
      quiet: QUIET,
    },
    examples: [
      ['Copy the sandbox', 'petstore-sandbox fork'],
      ['Keep the key of the copy in a variable', 'export SANDBOX_KEY=$(petstore-sandbox fork --quiet)'],
    ],
    run: async (call) => showIssued(call, await call.client.request('POST /fork', { body: call.fields })),
  }),
  connected({
    name: 'snapshots save',
    summary: 'save the current state under a name',
    arguments: [['<name>']],
    examples: [['Save the state as "before"', 'petstore-sandbox snapshots save before']],
    run: async ({ client, args: [name = ''], out }) =>
      out.show(await client.request('POST /snapshots', { body: { name } }), (saved) => [
        `saved ${saved.name}: ${counted(saved.pets, 'pet')}`,
      ]),
  }),
  connected({
    name: 'snapshots list',
    summary: 'list the snapshots',
    examples: [['List the snapshots', 'petstore-sandbox snapshots list']],
    run: async ({ client, out }) =>
      out.show(await client.request('GET /snapshots'), ({ snapshots }) => [
        ...table([
          ['NAME', 'FIXTURE', 'PETS', 'CREATED'],
          ...snapshots.map(({ name, fixture, pets, createdAt }) => [name, fixture, pets, createdAt]),
        ]),
        counted(snapshots.length, 'snapshot'),
      ]),
  }),
  connected({
    name: 'snapshots delete',
    summary: 'delete a snapshot',
    arguments: [['<name>']],
    examples: [['Delete the snapshot "before"', 'petstore-sandbox snapshots delete before']],
    run: async ({ client, args: [name = ''], out }) => {
      await client.request('DELETE /snapshots/{name}', { params: { name } });
      return out.show({ deleted: name }, () => [`deleted ${name}`]);
    },
  }),
];

const clockLines = ({ now, frozen }: Schema<'Clock'>): string[] => [`${now}${frozen ? ' (frozen)' : ''}`];

export const CLOCK = [
  connected({
    name: 'clock show',
    summary: 'show the time',
    examples: [["Show the sandbox's time", 'petstore-sandbox clock show']],
    run: async ({ client, out }) => out.show(await client.request('GET /clock'), clockLines),
  }),
  connected({
    name: 'clock set',
    summary: 'set, freeze or start the clock',
    arguments: [['[time]', 'a date, or a time with a zone, like 2030-12-05T00:00:00Z']],
    flags: {
      freeze: { flag: '--freeze', help: 'stop the clock', conflicts: ['run'] },
      run: { flag: '--run', help: 'start the clock again' },
    },
    examples: [
      ['Go to the day on which getPet is removed', 'petstore-sandbox clock set 2030-12-05'],
      ['Freeze the clock', 'petstore-sandbox clock set --freeze'],
      ['Start it again', 'petstore-sandbox clock set --run'],
    ],
    run: async ({ client, args: [time], flags: { freeze = false, run = false }, out }) => {
      const now = time === undefined ? undefined : withTime(time);
      if (now === undefined && !freeze && !run)
        throw new SettingsError('set to what? Give a time like 2030-12-05T00:00:00Z, --freeze or --run');
      const frozen = freeze || run ? freeze : undefined;
      return out.show(await client.request('PUT /clock', { body: { now, frozen } }), clockLines);
    },
  }),
  connected({
    name: 'clock advance',
    summary: 'move the clock forward',
    arguments: [['<duration>', 'an ISO 8601 duration, like P30D or PT1H']],
    examples: [['Move 30 days forward', 'petstore-sandbox clock advance P30D']],
    run: async ({ client, args: [duration = ''], out }) =>
      out.show(await client.request('POST /clock/advance', { body: { duration } }), clockLines),
  }),
  connected({
    name: 'clock reset',
    summary: 'return to real time',
    examples: [['Go back to real time', 'petstore-sandbox clock reset']],
    run: async ({ client, out }) => out.show(await client.request('DELETE /clock'), clockLines),
  }),
];

/** The effect of a rule: `status=503 times=1`. */
const effectText = ({ id: _, when: __, triggered: ___, operation: ____, ...rest }: Schema<'Fault'>): string =>
  Object.entries(rest)
    .map(([name, value]) => `${name}=${faultText(value as FaultValue)}`)
    .join(' ');

/** `retryAfter` as `retry-after`. */
const dashed = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const faultFlagName = (field: FaultField): string => `--${dashed(field.replace(/Ms$/, ''))}`;

const isFaultField = (name: string): name is FaultField => (faultFields as readonly string[]).includes(name);

/** The flag of a field of a fault rule, with the words of its description, its bounds and an example. */
function faultFlag(field: FaultField): Flag {
  const { description, examples, enum: values, minimum, maximum } = faultFieldSchema(field);
  const name = faultFlagName(field);
  const words = description
    .trim()
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/`(\w+)`/g, (_, word: string) =>
      isFaultField(word) && /[A-Z]/.test(word) ? faultFlagName(word) : word,
    )
    .replaceAll('`.`', '"."')
    .replaceAll('`', '')
    .replace(/^[A-Z]/, (letter) => letter.toLowerCase())
    .replace(/\.$/, '');
  const example = examples?.[0] ?? values?.at(-1);
  const notes = [
    minimum === undefined ? [] : `${minimum} to ${maximum}`,
    example === undefined ? [] : `for example ${name} ${faultText(example)}`,
  ].flat();
  return { flag: `${name} <${dashed(faultTextForm(field))}>`, help: `${words} (${notes.join('; ')})` };
}

const HOW_FAULTS_ACT = [
  'Give at least one effect: --status, --delay, --bytes-per-second, --connection, --limit, --vary or --corrupt.',
  '--operation, --pet-id and --query select requests. --when says whether the operation happens.',
  '--from, --pattern, --times and --probability say which of the selected requests are affected.',
  'Rules run in order; the first that triggers wins.',
].join(' ');

export const FAULTS = [
  connected({
    name: 'faults add',
    summary: 'add a rule that makes requests fail, slow or different',
    about: HOW_FAULTS_ACT,
    control: 'POST /faults',
    flags: Object.fromEntries(faultFields.map((field) => [field, faultFlag(field)])) as Record<FaultField, Flag>,
    examples: [
      ['Fail the next two lists', 'petstore-sandbox faults add --operation listPets --status 503 --times 2'],
      [
        'Create the pet, but lose the response',
        'petstore-sandbox faults add --operation createPet --when after --connection reset --times 1',
      ],
      ['Delay a fifth of all requests', 'petstore-sandbox faults add --delay 500 --probability 0.2 --seed 7'],
    ],
    run: async ({ client, fields, out }) =>
      out.show(await client.request('POST /faults', { body: fields }), (fault) => [
        `added ${fault.id}: ${fault.operation ?? 'every operation'}, ${fault.when} it happens: ${effectText(fault)}`,
      ]),
  }),
  connected({
    name: 'faults list',
    summary: 'list the rules',
    examples: [['List the rules, and how often each was triggered', 'petstore-sandbox faults list']],
    run: async ({ client, out }) =>
      out.show(await client.request('GET /faults'), ({ faults }) => [
        ...table([
          ['ID', 'OPERATION', 'WHEN', 'TRIGGERED', 'EFFECT'],
          ...faults.map((fault) => [
            fault.id,
            fault.operation ?? 'every',
            fault.when,
            fault.triggered,
            effectText(fault),
          ]),
        ]),
        counted(faults.length, 'fault'),
      ]),
  }),
  connected({
    name: 'faults clear',
    summary: 'delete a rule, or all rules',
    arguments: [['[id]', "the rule's id, flt_…"]],
    examples: [['Delete all rules', 'petstore-sandbox faults clear']],
    run: async ({ client, args: [faultId], out }) => {
      if (faultId === undefined) await client.request('DELETE /faults');
      else await client.request('DELETE /faults/{faultId}', { params: { faultId } });
      return out.show({ cleared: faultId ?? 'all' }, () => [
        faultId === undefined ? 'deleted all faults' : `deleted ${faultId}`,
      ]);
    },
  }),
];

export const FIXTURES = [
  local({
    name: 'fixtures check',
    summary: 'check a directory of fixtures (exit code 1: one is invalid); needs no server',
    arguments: [['<dir>']],
    flags: { json: JSON_FLAG },
    examples: [['Check a directory', 'petstore-sandbox fixtures check ./fixtures']],
    run: async ({ args: [directory = ''], flags }) =>
      (await import('./fixture-files.ts')).checkFixtures(directory, flags),
  }),
  connected({
    name: 'fixtures list',
    summary: 'list the fixtures of the server',
    as: 'anyone',
    examples: [["List the server's fixtures", 'petstore-sandbox fixtures list']],
    run: async ({ client, out }) =>
      out.show(await client.request('GET /fixtures'), ({ fixtures }) => [
        ...table(fixtures.map(({ name, pets, description }) => [name, counted(Number(pets), 'pet'), description])),
        counted(fixtures.length, 'fixture'),
      ]),
  }),
];
