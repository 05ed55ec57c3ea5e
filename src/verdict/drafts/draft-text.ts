/**
 * Reads the text of a draft, YAML or JSON. What is in it is counted while it is read, before there is a tree: for each
 * character of a hostile text, a tree of YAML takes a KiB of memory.
 */

import { Composer, CST, type Document, isScalar, Lexer, Parser, visit } from 'yaml';
import { SpecificationError } from '../../base/api/errors.ts';
import { MAX_DRAFT_DEPTH, MAX_VALUES } from '../../base/limits.ts';
import { quoted, shorten } from '../../base/text.ts';

/** Of YAML: names, values, blanks, lines and comments. A field on a line of its own has seven of them. */
const MAX_TOKENS = 8 * MAX_VALUES;
/** Of YAML, other than these: hyphens, colons, commas, brackets, tags. */
const MAX_MARKS = 3 * MAX_VALUES;
/** The parser also counts the document, and the scalar that it reads. */
const MAX_STACK = MAX_DRAFT_DEPTH + 4;
/** Lines like `%YAML 1.2`. */
const MAX_DIRECTIVES = 10;
/** Uses of one anchor. */
const MAX_ALIASES = 100;

/** An error at a place of a specification. */
export const wrongAt = (pointer: string, message: string): SpecificationError =>
  new SpecificationError(`${shorten(pointer, MAX_POINTER)}: ${message}`);

/** Characters of a place in a message. */
const MAX_POINTER = 200;

/** JSON is YAML as well. @throws {SpecificationError} for what is neither, and for too much of it */
export function readDraftText(text: string): unknown {
  try {
    const document = composed(text);
    checkNames(document);
    return document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (cause) {
    if (cause instanceof SpecificationError) throw cause;
    if (/^\s*\{/.test(text) && /[\s,{}\]]\/[/*]/.test(text)) throw new SpecificationError(NO_COMMENTS, { cause });
    throw new SpecificationError(`neither YAML nor JSON: ${(cause as Error).message.split('\n')[0]}`, { cause });
  }
}

/** @throws {YAMLParseError} */
function composed(text: string): Document {
  // Of a name given twice, the library looks at all names for each.
  const options = {
    schema: 'core',
    resolveKnownTags: false,
    merge: true,
    stringKeys: true,
    uniqueKeys: false,
  } as const;
  const composer = new Composer({ ...options, prettyErrors: false, logLevel: 'error' });
  const [document, other] = composer.compose(tokensOf(text), true, text.length);
  if (document === undefined || other !== undefined) throw new SpecificationError('must be one document of YAML');
  const [problem] = [...document.errors, ...document.warnings];
  if (problem) throw problem;
  return document;
}

/** @throws {SpecificationError} as soon as there are too many */
function* tokensOf(text: string): Generator<CST.Token> {
  const parser = new Parser();
  let tokens = 0;
  let marks = 0;
  let directives = 0;
  for (const token of new Lexer().lex(text)) {
    tokens += linesIn(token);
    if (!PLAIN.has(CST.tokenType(token))) marks += 1;
    if (tokens > MAX_TOKENS || marks > MAX_MARKS) throw tooMany();
    for (const read of parser.next(token)) {
      if (read.type === 'error') throw new Error(read.message);
      if (read.type === 'directive') directives += 1;
      if (directives > MAX_DIRECTIVES) throw new Error('it has too many directives');
      yield read;
    }
    if (parser.stack.length > MAX_STACK) throw tooDeep();
  }
  yield* parser.end();
}

/** Each line of a scalar is read on its own. */
function linesIn(token: string): number {
  let lines = 1;
  for (let at = token.indexOf('\n', 1); at >= 0; at = token.indexOf('\n', at + 1)) lines += 1;
  return lines;
}

/** Unquoted scalars come in two tokens, the second of which has no type. */
const PLAIN: ReadonlySet<CST.TokenType | null> = new Set([
  ...(['space', 'newline', 'comment', 'scalar', 'single-quoted-scalar', 'double-quoted-scalar'] as const),
  null,
]);

function checkNames(document: Document): void {
  visit(document, {
    Map: (_, { items }) => {
      const names = new Set<string>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        const name = String(key.value);
        // To YAML, `// note` in JSON is a name, or a part of one.
        if (key.type === 'PLAIN' && name.startsWith('//')) throw new SpecificationError(NO_COMMENTS);
        if (names.has(name)) throw new SpecificationError(`the field ${quoted(name, 64)} is given twice in one object`);
        names.add(name);
      }
    },
  });
}

const NO_COMMENTS = 'JSON has no comments; leave them out, or write YAML';

const tooMany = (): SpecificationError =>
  new SpecificationError(`a specification has at most ${MAX_VALUES.toLocaleString('en')} fields and list items`);

const tooDeep = (): SpecificationError => new SpecificationError(`nesting is limited to ${MAX_DRAFT_DEPTH} levels`);
