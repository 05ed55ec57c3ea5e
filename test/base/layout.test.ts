/** How lines fit a terminal. */
import { describe, expect, it } from 'vitest';
import { PLAIN, paragraph, type Row, rowLines, screenOf, widthOf } from '../../src/base/layout.ts';

describe('a screen', () => {
  it.each([
    [{ isTTY: true, columns: 80 }, { TERM: 'xterm-256color' }, { width: 80, color: true }],
    [
      { isTTY: true, columns: 200 },
      { TERM: 'xterm-256color', NO_COLOR: '1' },
      { width: 200, color: false },
    ],
    [{ isTTY: true, columns: 80 }, { TERM: 'dumb' }, { width: 80, color: false }],
    [{ isTTY: true, columns: 0 }, { TERM: 'xterm' }, { width: PLAIN.width, color: true }],
    [{ isTTY: true, columns: 10 }, { TERM: 'xterm' }, { width: 40, color: true }],
    [{}, { TERM: 'xterm-256color' }, PLAIN],
    [{}, { FORCE_COLOR: '1' }, { ...PLAIN, color: true }],
    [{}, { FORCE_COLOR: '0' }, PLAIN],
    [{ columns: 80 }, { COLUMNS: '120' }, { width: 120, color: false }],
    [{}, { COLUMNS: 'wide' }, PLAIN],
  ])('of %j with %j is %j', (stream, environment, screen) => {
    expect(screenOf(stream, environment)).toEqual(screen);
  });
});

const SCREEN = { width: 40, color: false };
const ROWS = [
  { sign: '✗', left: ['createPet', 'body/name'], text: 'must be a string of letters', right: ['12×', 'req_1'] },
  { sign: '!', left: ['getPet', ''], text: 'old', right: ['1×', 'req_2'] },
];

describe('lines', () => {
  it('are broken between words, and a long word stays whole', () => {
    const word = 'w'.repeat(60);
    expect(paragraph('- ', `one two three four five six seven eight ${word} nine`, SCREEN, 2)).toEqual([
      '  - one two three four five six seven',
      '    eight',
      `    ${word}`,
      '    nine',
    ]);
  });

  it('keep the columns of rows, or give the text a line of its own', () => {
    expect(rowLines(ROWS, { ...SCREEN, width: 60 })).toEqual(
      [
        '✗ createPet  body/name  must be a string of    12×  req_1',
        '                        letters',
        '! getPet                old                     1×  req_2',
      ].map((line) => expect.stringMatching(new RegExp(`^${line.replaceAll(/ {2,}/g, ' {2,}')}$`))),
    );
    expect(rowLines(ROWS, SCREEN)[1]).toBe('    must be a string of letters');
    const long = { ...ROWS[1], sign: '✓', left: ['getPet', 'a place that is longer than its column'] };
    expect(rowLines([...ROWS, long] as Row[], { ...SCREEN, width: 60 }).slice(2)).toEqual([
      '! getPet                old                        1×  req_2',
      '✓ getPet     a place that is longer than its column',
      '                        old                        1×  req_2',
    ]);
  });

  it('count the columns of a terminal', () => {
    expect(['abc', '猫', '✗', 'e\u0301', '🐱'].map(widthOf)).toEqual([3, 2, 1, 1, 2]);
  });

  it('take color, and escape what a terminal would obey', () => {
    const [line = ''] = paragraph('', ['a \u001b[31mb', 'bad'], { ...SCREEN, color: true });
    expect(line).toBe('\u001b[31ma \\u001b[31mb\u001b[39m');
  });
});
