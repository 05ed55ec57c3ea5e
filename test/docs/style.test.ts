/** What every page keeps to, so that its lines can be pasted wherever somebody begins to read. */
import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { allPages, type Page } from '../support/pages.ts';

let pages: readonly Page[];
beforeAll(async () => {
  pages = await allPages();
});

/** The lines of a block, with continued ones joined. */
const linesOf = (text: string): string[] => text.replaceAll('\\\n', ' ').split('\n');

/** Commands that print a response and nothing after it. */
const withoutNewline = (text: string): string[] =>
  linesOf(text).filter(
    (line) => /^\s*(?:petstore-sandbox .*)?\bcurl\b/.test(line) && !/-w ['"]|; ?echo|-o |[>|] |-sN|\$\(curl/.test(line),
  );

describe('a page', () => {
  it('that uses the command says how to get it', () => {
    const using = pages.filter(({ blocks }) => blocks.some(({ text }) => /(?:^|\$\()petstore-sandbox /m.test(text)));
    expect(using.length).toBeGreaterThan(10);
    const silent = using.filter(
      ({ file, links }) => !/install\.md$/.test(file) && !links.some((link) => /install\.md$/.test(link)),
    );
    expect(silent.map(({ file }) => file)).toEqual([]);
  });

  it('ends the output of curl with a newline', () => {
    expect(withoutNewline('curl -s $URL/v1/pets\n')).toHaveLength(1);
    const found = pages.flatMap(({ file, blocks }) =>
      blocks.flatMap(({ text }) => withoutNewline(text).map((line) => `${file}: ${line}`)),
    );
    expect(found).toEqual([]);
  });

  it('sets the admin token in the block that uses it, or before', () => {
    const found = pages.filter(({ blocks }) => {
      const text = blocks.map((block) => block.text).join('');
      const use = text.search(/\$\{?ADMIN_TOKEN\b(?!:-)/);
      return use !== -1 && !/^ADMIN_TOKEN=/m.test(text.slice(0, use));
    });
    expect(found.map(({ file }) => file)).toEqual([]);
  });

  it('takes a key from the command, not from text that it searches', async () => {
    const texts = await Promise.all(pages.map(async ({ file }) => [file, await readFile(file, 'utf8')] as const));
    expect(texts.filter(([, text]) => /grep -o|sed -n?E? ?'?s?.*petsbx/.test(text)).map(([file]) => file)).toEqual([]);
  });
});
