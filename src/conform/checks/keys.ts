/** Who may ask at all (interface.md, Authentication). */
import { type Ask, type Level, post, type Risk } from '../cases/case.ts';
import { spoiltCredentials, wrongCredentials } from '../cases/keys.ts';
import { type Check, get } from '../check.ts';

const NO_KEY = { Authorization: [] };

/** Every operation without a key, and what the sandbox refuses for the key before it looks any further. */
const keyless: readonly (readonly [string, Level, Risk, Ask])[] = [
  ['listPets without a key', 'contract', 'none', get('/pets', NO_KEY)],
  ['getPet without a key', 'contract', 'none', get('/pets/1', NO_KEY)],
  [
    'createPet without a key',
    'contract',
    'creates',
    post('{"name":"Rex","categoryId":3}', { 'Content-Type': 'application/json', ...NO_KEY }),
  ],
  ['a bad query without a key', 'sandbox', 'none', get('/pets?limit=zzz', NO_KEY)],
  ['a pet that cannot be, without a key', 'sandbox', 'none', get('/pets/zzz', NO_KEY)],
  ['a bad percent-encoding without a key', 'sandbox', 'none', get('/pets/%zz', NO_KEY)],
  ['a path that is no path, without a key', 'sandbox', 'none', get('/toys', NO_KEY)],
  ['a bad body without a key', 'sandbox', 'creates', post('{', { 'Content-Type': 'text/plain', ...NO_KEY })],
];

export function keyChecks(key: string): readonly Check[] {
  const credentials = Object.entries({ ...wrongCredentials, ...spoiltCredentials(key) });
  const good = `Bearer ${key}`;
  return [
    ...keyless.map(([name, level, risk, ask]) => refusal(name, level, risk, ask)),
    ...credentials.map(([name, value]) => refusal(name, 'contract', 'none', get('/pets', { Authorization: value }))),
    refusal('Authorization given twice', 'sandbox', 'none', get('/pets', { Authorization: [good, good] })),
    ...['bearer', 'BEARER'].map(
      (scheme): Check => ({
        name: `a good key with the scheme ${scheme}: 200`,
        section: 'Authentication',
        level: 'sandbox',
        risk: 'none',
        run: async (talk) =>
          void (await talk.ask(get('/pets?limit=1', { Authorization: `${scheme} ${key}` }), {
            status: 200,
            level: 'sandbox',
            rule: 'key-accepted',
          })),
      }),
    ),
  ];
}

const refusal = (name: string, level: Level, risk: Risk, ask: Ask): Check => ({
  name: `${name}: 401`,
  section: 'Authentication',
  level,
  risk,
  run: async (talk) => void (await talk.ask(ask, { status: 401, level, rule: 'key-refused' })),
});
