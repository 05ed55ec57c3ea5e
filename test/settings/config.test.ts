/** Settings: which level wins, what is rejected and how it is said. */
import { describe, expect, it } from 'vitest';
import { type Level, readEnvironment, readLevel, resolveSettings } from '../../src/settings/config.ts';
import { SETTINGS, type Setting, SettingsError } from '../../src/settings/settings.ts';

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

const DEFAULTS = {
  port: 4020,
  host: '127.0.0.1',
  publicUrl: undefined,
  data: './data',
  fixtures: undefined,
  fixture: 'default',
  store: undefined,
  storeWait: 0,
  keys: [],
  setup: undefined,
  logHeaders: [],
  adminToken: undefined,
  tls: 'off',
  tlsCert: undefined,
  tlsKey: undefined,
  keyTtlSeconds: 86_400,
  keyIssuing: 'open',
  allowOrigins: [],
  allowHosts: [],
  maxSandboxes: 10_000,
  maxPets: 1_000_000,
  maxBytes: undefined,
  maxBody: 1_048_576,
  logLevel: 'info',
  logFormat: 'pretty',
};

describe('the levels', () => {
  it('give the defaults where nobody says anything', () => {
    expect(resolveSettings([])).toEqual(DEFAULTS);
  });

  it('give the image’s defaults with SANDBOX_IMAGE=1, below everything else', () => {
    const { level, image, warnings } = environment({ SANDBOX_IMAGE: '1', SANDBOX_HOST: '127.0.0.2' });
    expect([image, warnings]).toEqual([true, []]);
    expect(resolveSettings([{}, level], { image })).toEqual({
      ...DEFAULTS,
      host: '127.0.0.2',
      data: '/data',
      logFormat: 'json',
    });
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
    expect(resolveSettings([files])).toMatchObject({ tls: 'off', tlsCert: 'cert.pem', tlsKey: 'key.pem' });
    expect(resolveSettings([flags({ tls: 'off' }), files])).toMatchObject({ tls: 'off', tlsCert: undefined });
    expect(resolveSettings([flags({ tls: 'self-signed' }), files])).toMatchObject({
      tls: 'self-signed',
      tlsKey: undefined,
    });
    expect(() => environment({ SANDBOX_TLS_KEY: 'key.pem' })).toThrow(
      'SANDBOX_TLS_CERT and SANDBOX_TLS_KEY belong together; give both',
    );
    expect(() => flags({ tls: 'self-signed', tlsCert: 'c', tlsKey: 'k' })).toThrow(
      '--tls and --tls-cert contradict each other; give one of them',
    );
  });

  it('let the strongest that says anything of data or memory decide', () => {
    const data = environment({ SANDBOX_DATA: '/d' }).level;
    const memory = environment({ SANDBOX_MEMORY: 'true' }).level;
    const disk = environment({ SANDBOX_MEMORY: 'false' }).level;
    expect(resolveSettings([flags({ memory: true }), data]).data).toBeUndefined();
    expect(resolveSettings([flags({ data: '/f' }), memory]).data).toBe('/f');
    expect(resolveSettings([{}, memory], { image: true }).data).toBeUndefined();
    expect(resolveSettings([{}, disk], { image: true }).data).toBe('/data');
    expect(resolveSettings([{}, disk]).data).toBe('./data');
  });
});

describe('contradictions', () => {
  it('within one level are rejected', () => {
    expect(rejection(() => flags({ data: '/d', memory: true }))).toMatch(/^--data and --memory contradict each other/);
    expect(rejection(() => environment({ SANDBOX_DATA: '/d', SANDBOX_MEMORY: '1' }))).toMatch(
      /^SANDBOX_DATA and SANDBOX_MEMORY contradict each other/,
    );
    expect(environment({ SANDBOX_DATA: '/d', SANDBOX_MEMORY: '0' }).level).toMatchObject({ data: '/d' });
  });

  it('between a key and the admin token are rejected, wherever each comes from', () => {
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
  const good: [string, unknown, unknown][] = [
    ['port', '0', 0],
    ['port', '65535', 65_535],
    ['keyTtlSeconds', '1', 1],
    ['keyTtlSeconds', '31536000', 31_536_000],
    ['maxSandboxes', '1', 1],
    ['maxSandboxes', '1000000', 1_000_000],
    ['maxPets', '1', 1],
    ['maxPets', '100000000', 100_000_000],
    ['maxBytes', '1024', 1024],
    ['maxBytes', '1KiB', 1024],
    ['maxBytes', '1024GiB', 2 ** 40],
    ['maxBody', '64', 64],
    ['maxBody', '64MiB', 64 * 2 ** 20],
    ['host', '::', '::'],
    ['publicUrl', 'https://x.test/a/', 'https://x.test/a'],
    ['allowOrigins', ['http://localhost:3000'], ['http://localhost:3000']],
    ['allowHosts', ['x.test:1'], ['x.test:1']],
    ['keys', ['a'.repeat(16)], ['a'.repeat(16)]],
    ['keys', [`${'a'.repeat(256)}==`], [`${'a'.repeat(256)}==`]],
    ['keyIssuing', 'admin', 'admin'],
    ['logLevel', 'silent', 'silent'],
    ['logFormat', 'json', 'json'],
    ['fixture', 'a'.repeat(64), 'a'.repeat(64)],
  ];
  it.each(good)('%s takes %j', (name, text, value) => {
    expect(flags({ [name]: text })).toEqual({ [name]: value });
  });

  const bad: [string, unknown, RegExp][] = [
    ['port', '65536', /^--port must be an integer from 0 to 65535; got "65536"$/],
    ['port', '-1', /^--port must be/],
    ['port', ' 1', /^--port must be/],
    ['port', '1e3', /^--port must be/],
    ['port', 'http', /got "http"/],
    ['keyTtlSeconds', '0', /^--key-ttl must be an integer from 1 to 31536000/],
    ['keyTtlSeconds', '31536001', /^--key-ttl/],
    ['maxSandboxes', '0', /^--max-sandboxes/],
    ['maxSandboxes', '1000001', /^--max-sandboxes/],
    ['maxPets', '0', /^--max-pets/],
    ['maxPets', '100000001', /^--max-pets/],
    ['maxBytes', '1023', /^--max-bytes must be a size from 1024/],
    ['maxBytes', '1025GiB', /^--max-bytes/],
    ['maxBytes', '1MB', /like 1048576 or 1MiB; got "1MB"/],
    ['maxBytes', '1.5MiB', /^--max-bytes/],
    ['maxBody', '63', /^--max-body/],
    ['maxBody', '65MiB', /^--max-body/],
    ['host', 'a b', /^--host must be an address or a host name/],
    ['publicUrl', 'ftp://x.test', /^--public-url must be an http or https address/],
    ['publicUrl', 'x.test', /^--public-url/],
    ['publicUrl', 'http://x.test/?a=1', /without query/],
    ['publicUrl', 'http://user:word@x.test/', /^--public-url [^@]*$/],
    ['allowOrigins', ['http://x.test/'], /^--allow-origin must be an origin like http:\/\/localhost:3000/],
    ['allowOrigins', ['*'], /^--allow-origin/],
    ['allowOrigins', ['null'], /^--allow-origin/],
    ['allowHosts', ['*.x.test'], /^--allow-host/],
    ['keyIssuing', 'nobody', /^--key-issuing must be one of open, admin; got "nobody"$/],
    ['logLevel', 'loud', /^--log-level must be one of fatal, error/],
    ['logFormat', 'xml', /^--log-format must be one of pretty, json/],
    ['fixture', '../x', /^--fixture must be a name of 1 to 64 of a-z, 0-9, _ and -, /],
    ['fixture', 'a'.repeat(65), /^--fixture/],
    ['port', true, /^--port must be/],
    ['keys', 'not-a-list-0123456789', /^--api-key must be a list$/],
    ['data', {}, /^--data must be a single value$/],
    ['data', ['a', 'b'], /^--data must be a single value$/],
    ['memory', 7, /^--memory must be true or false; got "7"$/],
  ];
  it.each(bad)('%s rejects %j', (name, text, message) => {
    expect(rejection(() => flags({ [name]: text }))).toMatch(message);
  });

  it('that is a secret is never repeated in a message', () => {
    for (const secret of ['tooshort', `not allowed ${'x'.repeat(20)}`, 'x'.repeat(300), `hidden,${'y'.repeat(20)}`]) {
      for (const [name, value] of [
        ['keys', [secret]],
        ['adminToken', secret],
      ] as const) {
        const message = rejection(() => flags({ [name]: value }));
        expect(message).toMatch(/^--(?:api-key|admin-token) must be 16 to 256 characters of/);
        expect(message).not.toContain(secret);
      }
    }
    const message = rejection(() => environment({ SANDBOX_API_KEYS: `${'a'.repeat(16)},hidden` }));
    expect(message).toMatch(/^SANDBOX_API_KEYS must be/);
    expect(message).not.toContain('hidden');
  });
});
