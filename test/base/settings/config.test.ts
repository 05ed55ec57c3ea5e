/** Settings: which level wins, what is rejected and how it is said. */
import { describe, expect, it } from 'vitest';
import { type Level, readEnvironment, readLevel, resolveSettings } from '../../../src/base/settings/config.ts';
import { SETTINGS, type Setting, SettingsError } from '../../../src/base/settings/settings.ts';

const flagOf = ({ flag }: Setting): string => flag.split(' ')[0] as string;
const flags = (values: Record<string, unknown>): Level => readLevel(values, flagOf);
const environment = (variables: Record<string, string>) => readEnvironment(variables);

/** What a call rejects with. */
function rejection(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    expect(error).toBeInstanceOf(SettingsError);
    return (error as Error).message;
  }
  throw new Error('it was not rejected');
}

describe('the levels', () => {
  it('leave a server to this machine and its data to the folder where nobody says anything', () => {
    const settings = {
      port: 4020,
      host: '127.0.0.1',
      data: './data',
      fixture: 'default',
      tls: 'off',
      keyIssuing: 'open',
    };
    expect(resolveSettings([])).toMatchObject(settings);
  });

  it('give the image’s defaults with SANDBOX_IMAGE=1, below everything else', () => {
    const { level, image, warnings } = environment({ SANDBOX_IMAGE: '1', SANDBOX_HOST: '127.0.0.2' });
    expect([image, warnings]).toEqual([true, []]);
    const settings = { host: '127.0.0.2', data: '/data', logFormat: 'json' };
    expect(resolveSettings([{}, level], { image })).toMatchObject(settings);
    expect(resolveSettings([], { image })).toMatchObject({ host: '0.0.0.0', data: '/data' });
    expect(environment({ SANDBOX_IMAGE: '0' }).image).toBe(false);
  });

  it('let flags beat the environment', () => {
    const { level } = environment({ SANDBOX_PORT: '1', SANDBOX_FIXTURE: 'empty', SANDBOX_API_KEYS: 'k'.repeat(16) });
    const settings = resolveSettings([flags({ port: '2', keys: ['l'.repeat(16)] }), level]);
    expect(settings).toMatchObject({ port: 2, fixture: 'empty', keys: ['l'.repeat(16)] });
  });

  it('let the strongest that says anything of TLS decide, and reject what does not fit together', () => {
    const files = environment({ SANDBOX_TLS_CERT: 'cert.pem', SANDBOX_TLS_KEY: 'key.pem' }).level;
    const none = { tlsCert: undefined, tlsKey: undefined };
    expect(resolveSettings([files])).toMatchObject({ tls: 'off', tlsCert: 'cert.pem', tlsKey: 'key.pem' });
    for (const tls of ['off', 'self-signed'])
      expect(resolveSettings([flags({ tls }), files])).toMatchObject({ tls, ...none });
    expect(rejection(() => environment({ SANDBOX_TLS_KEY: 'key.pem' }))).toBe(
      'SANDBOX_TLS_CERT and SANDBOX_TLS_KEY belong together; give both',
    );
    expect(rejection(() => flags({ tls: 'self-signed', tlsCert: 'c', tlsKey: 'k' }))).toBe(
      '--tls and --tls-cert contradict each other; give one of them',
    );
  });

  it('let the strongest that says anything of data or memory decide, and reject both in one level', () => {
    const data = environment({ SANDBOX_DATA: '/d' }).level;
    const memory = environment({ SANDBOX_MEMORY: 'true' }).level;
    const disk = environment({ SANDBOX_MEMORY: 'false' }).level;
    expect(resolveSettings([flags({ memory: true }), data]).data).toBeUndefined();
    expect(resolveSettings([flags({ data: '/f' }), memory]).data).toBe('/f');
    expect(resolveSettings([{}, memory], { image: true }).data).toBeUndefined();
    expect(resolveSettings([{}, disk], { image: true }).data).toBe('/data');
    expect(resolveSettings([{}, disk]).data).toBe('./data');
    expect(rejection(() => flags({ data: '/d', memory: true }))).toMatch(/^--data and --memory contradict each other/);
    expect(rejection(() => environment({ SANDBOX_DATA: '/d', SANDBOX_MEMORY: '1' }))).toMatch(
      /^SANDBOX_DATA and SANDBOX_MEMORY contradict each other/,
    );
    expect(environment({ SANDBOX_DATA: '/d', SANDBOX_MEMORY: '0' }).level).toMatchObject({ data: '/d' });
  });

  it('reject a key that is the admin token, wherever each comes from', () => {
    const token = 'one-secret-0123456789';
    const { level } = environment({ SANDBOX_ADMIN_TOKEN: token });
    const message = rejection(() => resolveSettings([flags({ keys: [token] }), level]));
    expect(message).toMatch(/key and the admin token/);
    expect(message).not.toContain(token);
  });
});

describe('the environment', () => {
  it('warns of unknown variables with the nearest name, and never with a value', () => {
    const { warnings, level } = environment({
      SANDBOX_PROT: 'secret-value',
      SANDBOX_KEYS_TTL: '5',
      SANDBOX_API_KEY: 'a-secret-key-0123456789',
      SANDBOXES: '1',
      OTHER: 'x',
    });
    expect(warnings).toEqual([
      'SANDBOX_PROT is not a setting and has no effect; did you mean SANDBOX_PORT?',
      'SANDBOX_KEYS_TTL is not a setting and has no effect; did you mean SANDBOX_KEY_TTL?',
      'SANDBOX_API_KEY is not a setting and has no effect; did you mean SANDBOX_API_KEYS?',
    ]);
    expect(level).toEqual({});
  });

  it('counts an empty variable as unset', () => {
    const all = Object.fromEntries(Object.values(SETTINGS).map(({ variable }) => [variable, '']));
    expect(environment({ ...all, SANDBOX_PROT: '' })).toEqual({ level: {}, warnings: [], image: false });
  });

  it('ignores what a Kubernetes service named sandbox sets', () => {
    const { level, warnings } = environment({
      SANDBOX_PORT: 'tcp://10.0.0.1:4020',
      SANDBOX_SERVICE_HOST: '10.0.0.1',
      SANDBOX_SERVICE_PORT: '4020',
      SANDBOX_SERVICE_PORT_HTTP: '4020',
      SANDBOX_PORT_4020_TCP: 'tcp://10.0.0.1:4020',
      SANDBOX_PORT_4020_TCP_PROTO: 'tcp',
      SANDBOX_PORT_4020_TCP_PORT: '4020',
      SANDBOX_PORT_4020_TCP_ADDR: '10.0.0.1',
    });
    expect([level, warnings]).toEqual([{}, []]);
  });

  it('separates the values of a list by commas, spaces and empty parts left out', () => {
    const { level } = environment({
      SANDBOX_API_KEYS: ` ${'a'.repeat(16)} ,,${'b'.repeat(16)},`,
      SANDBOX_ALLOW_ORIGIN: 'http://a.test, https://b.test:8443',
      SANDBOX_ALLOW_HOST: 'a.test',
    });
    expect(level).toEqual({
      keys: ['a'.repeat(16), 'b'.repeat(16)],
      allowOrigins: ['http://a.test', 'https://b.test:8443'],
      allowHosts: ['a.test'],
    });
  });
});

describe('a value', () => {
  it.each<[string, ...[given: unknown, value: unknown][]]>([
    ['port', ['0', 0], ['65535', 65_535]],
    ['keyTtlSeconds', ['1', 1], ['31536000', 31_536_000]],
    ['maxBytes', ['1024', 1024], ['1KiB', 1024], ['1024GiB', 2 ** 40]],
    ['maxBody', ['64', 64], ['1MiB', 2 ** 20]],
    ['host', ['::', '::']],
    ['name', ['a', 'a'], ['server12', 'server12']],
    ['publicUrl', ['https://x.test/a/', 'https://x.test/a']],
    ['allowOrigins', [['http://localhost:3000'], ['http://localhost:3000']]],
    ['keys', [['a'.repeat(16)], ['a'.repeat(16)]], [[`${'a'.repeat(256)}==`], [`${'a'.repeat(256)}==`]]],
    ['logLevel', ['silent', 'silent']],
    ['fixture', ['a'.repeat(64), 'a'.repeat(64)]],
  ])('%s takes %j', (name, ...values) => {
    for (const [given, value] of values) expect(flags({ [name]: given })).toEqual({ [name]: value });
  });

  it.each<[string, RegExp, ...unknown[]]>([
    ['port', /^--port is an integer from 0 to 65535; "65536" was given$/, '65536'],
    ['port', /^--port is .*; ".*" was given/, '-1', ' 1', '1e3', 'http', true],
    ['keyTtlSeconds', /^--key-ttl is an integer from 1 to 31536000/, '0', '31536001'],
    [
      'maxBytes',
      /^--max-bytes is a size from 1024.* like 1048576 or 1MiB; .* was given/,
      '1023',
      '1025GiB',
      '1MB',
      '1.5MiB',
    ],
    ['maxBody', /^--max-body/, '63', '1025KiB'],
    ['host', /^--host is an address or a host name/, 'a b'],
    ['name', /^--name is 1 to 8 of a-z and 0-9/, '_', 'A', 'a-b', 'abcdefghi', ''],
    ['publicUrl', /^--public-url is an http or https address/, 'ftp://x.test', 'x.test'],
    ['publicUrl', /password or query/, 'http://x.test/?a=1'],
    ['publicUrl', /^--public-url [^@]*$/, 'http://user:word@x.test/'],
    ['allowOrigins', /^--allow-origin is an origin like http:/, ['http://x.test/'], ['*'], ['null']],
    ['allowHosts', /^--allow-host/, ['*.x.test']],
    ['keyIssuing', /^--key-issuing is one of open, admin; "nobody" was given$/, 'nobody'],
    ['logLevel', /^--log-level is one of fatal, error/, 'loud'],
    ['fixture', /^--fixture is a name of 1 to 64 of a-z, 0-9, _ and -, /, '../x', 'a'.repeat(65)],
    ['keys', /^--api-key is a list$/, 'not-a-list-0123456789'],
    ['data', /^--data is a single value$/, {}, ['a', 'b']],
    ['memory', /^--memory is true or false; "7" was given$/, 7],
  ])('%s is rejected with %s: %j', (name, message, ...values) => {
    for (const value of values)
      expect(
        rejection(() => flags({ [name]: value })),
        String(value),
      ).toMatch(message);
  });
});
