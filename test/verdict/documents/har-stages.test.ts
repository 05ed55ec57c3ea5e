/** The stages by which a HAR is read, each for itself: open, decode, entries, base addresses. */
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { basesIn, locatedTarget, readHar } from '../../../src/verdict/documents/har-source.ts';
import { type Packed, zipOf } from '../../support/zip.ts';

const HAR = '{"log":{"entries":[{"request":{"method":"GET","url":"https://api.example.com/v1/pets"}}]}}';
const MIB = 2 ** 20;

const URLS = ['https://api.example.com/v1/pets'];

const urlsIn = async (bytes: Buffer) => (await readHar(bytes)).entries.map(({ url }) => url);
const zip = (...files: Packed[]): Buffer => zipOf(files);

describe('a container', () => {
  it.each<[string, Buffer]>([
    ['none', Buffer.from(HAR)],
    ['gzip', gzipSync(HAR)],
    ['gzip in two members', Buffer.concat([gzipSync(HAR.slice(0, 10)), gzipSync(HAR.slice(10))])],
    ['zip, deflated', zip(['har.har', HAR])],
    ['zip, stored', zip(['har.har', HAR, { isStored: true }])],
    ['zip as a Mac writes it', zip(['a/', ''], ['a/x.json', '{}'], ['__MACOSX/a/._t.har', 'x'], ['a/T.HAR', HAR])],
    ['zip with a comment that looks like an end', zipOf([['har.har', HAR]], { comment: 'made by PK\x05\x06' })],
  ])('is opened: %s', async (_, bytes) => {
    expect(await urlsIn(bytes)).toEqual(URLS);
  });

  it('gives the files that are attached in the folder of the archive', async () => {
    const { attached } = await readHar(zip(['a/t.har', HAR], ['a/b.json', '[]'], ['c.json', '1']));
    expect(['b.json', 'c.json', '../c.json', '__proto__'].map(attached)).toEqual(['[]', ...Array(3).fill(undefined)]);
  });

  it.each<[string, Buffer, string]>([
    ['a zip without a HAR', zip(['a.json', '{}']), 'a zip archive with 0 files .har'],
    ['a zip of two HARs', zip(['a.har', HAR], ['b.har', HAR]), 'with 2 files .har; unpack it first'],
    ['a zip with a name twice', zip(['a.har', HAR], ['b', '1'], ['b', '2']), 'has a file name twice'],
    ['an encrypted zip', zip(['a.har', HAR, { flags: 1 }]), 'cannot be read: '],
    ['a zip by another method', zip(['a.har', HAR, { method: 93 }]), 'cannot be read: '],
    ['a cut zip', zip(['a.har', HAR]).subarray(0, -10), 'cannot be read: '],
    ['a zip with a name that leads out', zip(['a.har', HAR], ['../b', '']), 'cannot be read: '],
    ['a zip with damaged content', zip(['a.har', HAR, { content: Buffer.from('not deflated') }]), 'cannot be read'],
    ['cut gzip', gzipSync(HAR).subarray(0, -12), 'cannot be read: unexpected end of file'],
    ['gzip twice', gzipSync(gzipSync(HAR)), 'this is no HAR: it must be one JSON object'],
    ['nothing', Buffer.alloc(0), 'it is empty'],
    ['a page', Buffer.from('<!doctype html>'), 'this is no HAR: it must be one JSON object'],
    ['a cut file', Buffer.from(HAR.slice(0, -5)), 'not cut'],
    ['a list', Buffer.from('[]'), 'it has no list log.entries'],
    ['entries that are no list', Buffer.from('{"log":{"entries":{}}}'), 'it has no list log.entries'],
    ['null', Buffer.from('null'), 'it has no list log.entries'],
    ['more than 64 MiB', Buffer.alloc(64 * MIB + 1), 'at most 64 MiB'],
    ['gzip of more than that', gzipSync(Buffer.alloc(65 * MIB)), 'at most 64 MiB'],
    ['a zip of more than that', zip(['a.har', Buffer.alloc(65 * MIB)]), 'at most 64 MiB'],
    ['brackets alone', gzipSync(Buffer.alloc(4 * MIB, '[')), 'this is no HAR'],
  ])('is rejected with its cause: %s', async (_, bytes, message) => {
    await expect(readHar(bytes)).rejects.toThrow(message);
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

it('counts the entries, whatever they are', async () => {
  const all = '[null, -12.5e3,"a\\"b" ,{},[], [{}],true,{"request":{"url":null}}]';
  const { entries } = await readHar(Buffer.from(`{"log":{"entries":${all}}}`));
  expect(entries).toMatchObject(Array.from({ length: 8 }, (_, index) => ({ index, url: undefined })));
});

describe('the base addresses', () => {
  it.each<[string[], string[]]>([
    [['https://a.example/v1/pet/1', 'https://a.example/v1', 'https://a.example/v1/pets/1/photos'], []],
    [['https://a.example/other?next=/v1/pets', 'https://a.example/#/v1/pets'], []],
    [['ftp://a.example/v1/pets', 'nonsense', 'https://{{host}}/v1/pets'], []],
    [[`https://a.example${'/v1'.repeat(20_000)}/pets`], [`https://a.example${'/v1'.repeat(20_000)}`]],
  ])('in %j', (urls, bases) => {
    expect(basesIn(urls.map((url, index) => ({ index, url, fields: {} })))).toEqual(bases);
  });

  it.each([
    ['/v1/x/v1/pets?limit=5', { base: 'https://a.example/v1/x/v1', target: '/v1/pets?limit=5' }],
    ['/v1/x', { base: 'https://a.example/v1', target: '/v1/x' }],
    ['/v12/pets', undefined],
  ])('give the target of a request, by the longest that fits: %s', (path, target) => {
    const bases = ['https://a.example/v1', 'https://a.example/v1/x/v1'];
    expect(locatedTarget(new URL(`https://a.example${path}`), bases)).toEqual(target);
  });
});
