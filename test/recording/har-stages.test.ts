/** The stages by which a HAR is read, each for itself: open, decode, entries, base addresses. */
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { basesIn, targetOf } from '../../src/recording/har-bases.ts';
import { entriesIn, type HarEntry } from '../../src/recording/har-entries.ts';
import { type HarSource, withHar } from '../../src/recording/har-source.ts';
import { type Packed, zipOf } from '../support/zip.ts';

const HAR = '{"log":{"entries":[{"request":{"method":"GET","url":"https://api.example.com/v1/pets"}}]}}';
const MIB = 2 ** 20;

const URLS = ['https://api.example.com/v1/pets'];

const urlsOf = async ({ entries }: HarSource): Promise<(string | undefined)[]> => {
  const urls: (string | undefined)[] = [];
  for await (const { url } of entries()) urls.push(url);
  return urls;
};
const urlsIn = (bytes: Buffer, most = 64 * MIB) => withHar(bytes, most, urlsOf);
const zip = (...files: Packed[]): Buffer => zipOf(files);
const hex = (text: string): Buffer => Buffer.from(text, 'hex');

describe('a container', () => {
  const asMacsDo: Packed[] = [
    ['a/', ''],
    ['a/x.json', '{}'],
    ['__MACOSX/a/._t.har', 'x'],
    ['a/T.HAR', HAR],
  ];
  it.each<[string, Buffer]>([
    ['none', Buffer.from(HAR)],
    ['gzip', gzipSync(HAR)],
    ['gzip in two members', Buffer.concat([gzipSync(HAR.slice(0, 10)), gzipSync(HAR.slice(10))])],
    ['zip, deflated', zip(['har.har', HAR])],
    ['zip, stored', zip(['har.har', HAR, { isStored: true }])],
    ['zip with other files, as a Mac writes it', zip(...asMacsDo)],
    ['zip with a comment that looks like an end', zipOf([['har.har', HAR]], { comment: 'made by PK\x05\x06' })],
  ])('is opened, more than once: %s', async (_, bytes) => {
    await withHar(bytes, MIB, async (har) => {
      expect([await urlsOf(har), await urlsOf(har)]).toEqual([URLS, URLS]);
    });
  });

  it('gives the files that are attached in the folder of the archive', async () => {
    const files: Packed[] = [
      ...([
        ['a/t.har', HAR],
        ['a/b.json', '[]'],
        ['c.json', '1'],
      ] as Packed[]),
      ...([
        ['a/big.json', ' '.repeat(5 * MIB)],
        ['a/x.json', '[]', { method: 93 }],
      ] as Packed[]),
    ];
    await withHar(zipOf(files), MIB, async ({ attached }) => {
      expect((await attached('b.json'))?.toString()).toBe('[]');
      for (const name of ['c.json', '../c.json', 'big.json', '__proto__']) expect(await attached(name)).toBe(undefined);
      await expect(attached('x.json')).rejects.toThrow('method 93');
    });
  });

  it.each<[string, Buffer, string]>([
    ['a zip without a HAR', zip(['a.json', '{}']), 'this is a zip archive without a .har in it'],
    [
      'a zip of two HARs',
      zip(['a.har', HAR], ['b.har', HAR]),
      '2 files .har in it ("a.har", "b.har"); unpack it first',
    ],
    ['an encrypted zip', zip(['a.har', HAR, { flags: 1 }]), 'is encrypted; unpack it first'],
    ['a zip by another method', zip(['a.har', HAR, { method: 93 }]), 'compressed by method 93, which is not supported'],
    ['a cut zip', zip(['a.har', HAR]).subarray(0, -10), 'damaged: End of central directory record signature not found'],
    ['a zip whose directory lies', zipOf([['a.har', HAR]], { count: 7 }), 'it is damaged'],
    [
      'a zip of two HARs beside a name that leads out',
      zip(['a.har', HAR], ['../b', '']),
      'it is damaged: invalid relative path',
    ],
    ['a zip with damaged content', zip(['a.har', HAR, { content: Buffer.from('not deflated') }]), 'it is damaged'],
    ['cut gzip', gzipSync(HAR).subarray(0, -12), 'it is damaged: unexpected end of file'],
    ['wrong gzip', Buffer.concat([gzipSync(HAR).subarray(0, 20), Buffer.alloc(50, 'x')]), 'it is damaged'],
    ['Zstandard', hex('28b52ffd2400'), 'compressed with Zstandard; unpack it first'],
    ['xz', hex('fd377a585a0000'), 'compressed with xz'],
    ['gzip twice', gzipSync(gzipSync(HAR)), 'it is packed twice'],
    ['a zip in gzip', gzipSync(zip(['a.har', HAR])), 'it is packed twice'],
    ['gzip in a zip', zip(['a.har.gz', gzipSync(HAR)]), 'without a .har in it ("a.har.gz")'],
    ['gzip by the name of a HAR in a zip', zip(['a.har', gzipSync(HAR)]), 'it is packed twice'],
    ['a tar archive in gzip', gzipSync(Buffer.from(`a.har`.padEnd(257, '\0').concat('ustar', HAR))), 'a tar archive'],
    ['nothing', Buffer.alloc(0), 'it is empty'],
    ['a page', Buffer.from('<!doctype html>'), 'this is HTML or XML'],
    ['UTF-32', hex('fffe00007b000000'), 'it is in UTF-32; save it in UTF-8'],
    ['a PDF', Buffer.from('%PDF-1.7'), 'this is a PDF file'],
  ])('is rejected with its cause: %s', async (_, bytes, message) => {
    await expect(urlsIn(bytes)).rejects.toThrow(message);
  });

  it.each<[string, (bytes: Buffer) => Buffer]>([
    ['gzip', gzipSync],
    ['zip', (bytes) => zip(['a.har', bytes])],
  ])('that unpacks to far more than it is ends early: %s', async (_, pack) => {
    const times = 'unpacks to more than 200 times its size';
    const long = (bytes: number) => pack(Buffer.alloc(bytes, `{"log":{"entries":["${'x'.repeat(MIB)}`));
    await expect(urlsIn(long(80 * MIB), 1024 * MIB)).rejects.toThrow(times);
    await expect(urlsIn(long(3 * MIB), 2 * MIB)).rejects.toThrow('unpacks to more than 2 MiB');
  });

  it('that repeats an attached file without end is bounded as well', async () => {
    await withHar(zip(['a.har', HAR], ['b.json', ' '.repeat(4 * MIB)]), 1024 * MIB, async ({ attached }) => {
      const all = Array.from({ length: 20 }, () => attached('b.json'));
      await expect(Promise.all(all)).rejects.toThrow('unpacks to more than');
      await Promise.allSettled(all);
    });
  });
});

it.each<[string, Buffer]>([
  ['UTF-8', Buffer.from(HAR)],
  ['UTF-8 with a mark', Buffer.from(`\ufeff${HAR}`)],
  ['UTF-16 with a mark', Buffer.from(`\ufeff${HAR}`, 'utf16le')],
  ['UTF-16 the other way round', Buffer.from(`\ufeff${HAR}`, 'utf16le').swap16()],
  ['UTF-16 without a mark', Buffer.from(HAR, 'utf16le')],
])('an encoding is recognized: %s', async (_, bytes) => {
  expect(await urlsIn(bytes)).toEqual(URLS);
});

async function entriesOf(text: string, size = 5): Promise<HarEntry[]> {
  const parts = async function* () {
    for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
  };
  const found: HarEntry[] = [];
  for await (const each of entriesIn(parts())) found.push(each);
  return found;
}

describe('the entries', () => {
  it('come with their URL, wherever the parts end and whatever the order of the fields', async () => {
    const request =
      '{ "url" : "https://x.example/\\u00e4é\\"\\\\" , "method" : "GET", "headers": [{"name":"url","value":"no"}] }';
    const entry = `{"response":{"request":{"url":"no"},"a":["]}\\"",{}]},"url":"no","request":${request}}`;
    const text = `{"entries":[1],"log":{"pages":[{"request":{"url":"no"}}],"entries":[${entry}, ${entry}],"comment":"x"}}`;
    for (const size of [1, 2, 3, 64, 10_000]) {
      expect(await entriesOf(text, size)).toEqual(
        [0, 1].map((index) => ({ index, url: 'https://x.example/äé"\\', fields: JSON.parse(entry) })),
      );
    }
  });

  it('are counted, whatever they are', async () => {
    const all = '[null, -12.5e3,"a\\"b" ,{},[], [{}],true,{"request":{"url":null}}]';
    const found = await entriesOf(`{"log":{"entries":${all}}}`);
    expect(found.map(({ index, url }) => [index, url])).toEqual(Array.from({ length: 8 }, (_, at) => [at, undefined]));
  });

  it('that are too large or too deep come with their URL alone, if it is near the beginning', async () => {
    const request = '"request":{"headers":[],"url":"https:\\/\\/x.example/"}';
    const long = `"a":"${'x'.repeat(5 * MIB)}"`;
    const deep = `"a":${'['.repeat(200)}${']'.repeat(200)}`;
    const inner = request.replace('[]', '[{"url":"https://y.example/"}]');
    const all = [
      `{${request},${long}}`,
      `{${long},${request}}`,
      `{${deep},${request}}`,
      `{${request}}`,
      `{${inner},${long}}`,
    ];
    const found = await entriesOf(`{"log":{"entries":[${all}]}}`, 60_000);
    expect(found.map(({ fields }) => fields !== undefined)).toEqual([false, false, false, true, false]);
    const url = 'https://x.example/';
    expect(found.map((each) => each.url)).toEqual([url, undefined, url, url, undefined]);
  });

  it('are counted behind any number of spaces', async () => {
    const found = await entriesOf(`{"log":{"entries":[${' '.repeat(5 * MIB)}{}]}}`, 60_000);
    expect(found).toEqual([{ index: 0, fields: undefined, url: undefined }]);
  });
});

describe('the base addresses', () => {
  it.each<[string[], string[]]>([
    [['https://a.example/v1/pet/1', 'https://a.example/v1', 'https://a.example/v1/pets/1/photos'], []],
    [['https://a.example/other?next=/v1/pets', 'https://a.example/#/v1/pets'], []],
    [['ftp://a.example/v1/pets', 'nonsense', 'https://{{host}}/v1/pets'], []],
    [[`https://a.example${'/v1'.repeat(20_000)}/pets`], [`https://a.example${'/v1'.repeat(20_000)}`]],
  ])('in %j', async (urls, bases) => {
    const entries = async function* () {
      for (const [index, url] of urls.entries()) yield { index, url, fields: {} };
    };
    expect(await basesIn(entries())).toEqual(bases);
  });

  it.each([
    ['/v1/x/v1/pets?limit=5', { base: 'https://a.example/v1/x/v1', target: '/v1/pets?limit=5' }],
    ['/v1/x', { base: 'https://a.example/v1', target: '/v1/x' }],
    ['/v12/pets', undefined],
  ])('give the target of a request, by the longest that fits: %s', (path, target) => {
    const bases = ['https://a.example/v1', 'https://a.example/v1/x/v1'];
    expect(targetOf(new URL(`https://a.example${path}`), bases)).toEqual(target);
  });
});
