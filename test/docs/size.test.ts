/** Each source file holds one idea, and each function fits on a screen. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';

const MAX_FILE = 250;
const MAX_FUNCTION = 60;
const MAX_COMMENT = 120;

/** All source files but the generated ones. */
async function sources(): Promise<ts.SourceFile[]> {
  const names = await readdir('src', { recursive: true });
  const files = names
    .filter((name) => /\.tsx?$/.test(name) && !name.startsWith('generated'))
    .map((n) => join('src', n));
  return Promise.all(
    files.map(async (file) => ts.createSourceFile(file, await readFile(file, 'utf8'), ts.ScriptTarget.Latest, true)),
  );
}

/** `src/x.ts:12 addPets, 74 lines` for each function that is too long. */
function longFunctionsIn(source: ts.SourceFile): string[] {
  const found: string[] = [];
  const lineOf = (position: number): number => source.getLineAndCharacterOfPosition(position).line + 1;
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node)) {
      const [from, to] = [lineOf(node.getStart()), lineOf(node.end)];
      const name = (node.name ?? (node.parent as ts.NamedDeclaration).name)?.getText() ?? 'a function';
      if (to - from >= MAX_FUNCTION) found.push(`${source.fileName}:${from} ${name}, ${to - from + 1} lines`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

it('no source file is longer than 250 lines', async () => {
  const long = (await sources()).filter(({ text }) => text.split('\n').length - 1 > MAX_FILE);
  expect(long.map(({ fileName }) => fileName)).toEqual([]);
});

it('no function is longer than 60 lines', async () => {
  const all = await sources();
  expect(all.length).toBeGreaterThan(300);
  expect(all.flatMap(longFunctionsIn)).toEqual([]);
});

it('no line of a comment is wider than 120 characters', async () => {
  const wide = (await sources()).flatMap(({ fileName, text }) =>
    text.split('\n').flatMap((line, index) => {
      const isComment = /^\s*(?:\/\*\*?|\*|\/\/)/.test(line);
      return isComment && line.length > MAX_COMMENT ? [`${fileName}:${index + 1}`] : [];
    }),
  );
  expect(wide).toEqual([]);
});
