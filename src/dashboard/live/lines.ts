/** A message line by line, with the findings beside each line. */

import { partsOfTarget } from '../../base/address.ts';
import { nameOfPair } from '../../base/api/request-text.ts';
import { NumberLiteral, parseDigits } from '../../base/int64.ts';
import type { Schema } from '../../client/routes.ts';
import { visible } from '../kit/visible.tsx';

export type RequestFinding = Schema<'RequestFinding'>;

interface Piece {
  readonly kind: 'key' | 'string' | 'number' | 'word' | 'sign' | 'plain';
  readonly text: string;
}

export interface Line {
  /** Location in the message, as in findings: `query/limit`, `body/categoryId`. */
  readonly location: string;
  readonly indent: number;
  /** How it looks: `found` with a finding, `before` and `after` in a comparison. */
  readonly look?: string;
  readonly pieces: readonly Piece[];
}

const sign = (text: string): Piece => ({ kind: 'sign', text });

/** A JSON body, formatted; numbers keep the digits that were sent. `undefined` for text that is not JSON. */
export function jsonLines(text: string): Line[] | undefined {
  try {
    const lines: Line[] = [];
    write(parseDigits(text), { location: 'body', indent: 0, before: [], after: [] }, lines);
    return lines;
  } catch {
    return undefined;
  }
}

/** Any body, as it was sent. */
export const plainLines = (text: string): Line[] =>
  text.split('\n').map((line) => ({ location: 'body', indent: 0, pieces: [{ kind: 'plain', text: visible(line) }] }));

/** One line for each header. */
export const headerLines = (headers: Readonly<Record<string, string>>): Line[] =>
  Object.entries(headers).map(([name, value]) => ({
    location: `header/${name.toLowerCase()}`,
    indent: 0,
    pieces: [{ kind: 'plain', text: `${name}: ${visible(value)}` }],
  }));

interface Spot {
  readonly location: string;
  readonly indent: number;
  /** The member's name, and the comma after it. */
  readonly before: readonly Piece[];
  readonly after: readonly Piece[];
}

function write(value: unknown, { location, indent, before, after }: Spot, lines: Line[]): void {
  const isArray = Array.isArray(value);
  if (typeof value !== 'object' || value === null || value instanceof NumberLiteral) {
    lines.push({ location, indent, pieces: [...before, leaf(value), ...after] });
    return;
  }
  const members = isArray
    ? value.map((item, index) => [String(index), item] as const)
    : Object.entries(value as Record<string, unknown>);
  const [open, shut] = isArray ? ['[', ']'] : ['{', '}'];
  if (members.length === 0) {
    lines.push({ location, indent, pieces: [...before, sign(`${open}${shut}`), ...after] });
    return;
  }
  lines.push({ location, indent, pieces: [...before, sign(open)] });
  members.forEach(([name, member], index) => {
    const named: Piece[] = isArray ? [] : [{ kind: 'key', text: visible(JSON.stringify(name)) }, sign(': ')];
    const comma = index < members.length - 1 ? [sign(',')] : [];
    write(member, { location: `${location}/${name}`, indent: indent + 1, before: named, after: comma }, lines);
  });
  lines.push({ location: `${location}/`, indent, pieces: [sign(shut), ...after] });
}

function leaf(value: unknown): Piece {
  if (value instanceof NumberLiteral) return { kind: 'number', text: value.text };
  return typeof value === 'string'
    ? { kind: 'string', text: visible(JSON.stringify(value)) }
    : { kind: 'word', text: String(value) };
}

/** The parts of a target that findings may refer to. */
export function targetLines(method: string, target: string): Line[] {
  const { path, query } = partsOfTarget(target);
  const id = /^\/v1\/pets\/([^/]+)$/.exec(path)?.[1];
  const plain = (text: string): Piece => ({ kind: 'plain', text: visible(text) });
  return [
    { location: 'target', indent: 0, pieces: [{ kind: 'key', text: method }, plain(` ${path}`)] },
    ...(id === undefined ? [] : [{ location: 'path/petId', indent: 1, pieces: [plain(`petId = ${id}`)] }]),
    ...(query ?? '')
      .split('&')
      .filter((pair) => pair !== '')
      .map((pair, index) => ({
        location: `query/${nameOfPair(pair)}`,
        indent: 1,
        pieces: [plain(`${index === 0 ? '?' : '&'}${pair}`)],
      })),
  ];
}

/** Without a warning about what another finding corrects already: a mistyped name is missing and unknown. */
export const toldOnce = (findings: readonly RequestFinding[]): readonly RequestFinding[] =>
  findings.filter(
    ({ kind, side, sent, instead }) =>
      kind === 'violation' ||
      instead === null ||
      !findings.some(
        (each) => each.kind === 'violation' && each.side === side && each.sent === sent && each.instead === instead,
      ),
  );

/** Assigns each finding to its line. A missing part has no line: then its parent's line is used, or else the first. */
export function beside(lines: readonly Line[], findings: readonly RequestFinding[]): Map<number, RequestFinding[]> {
  const found = new Map<number, RequestFinding[]>();
  for (const finding of toldOnce(findings)) {
    const index = lineOf(lines, finding.location);
    found.set(index, [...(found.get(index) ?? []), finding]);
  }
  return found;
}

/** Of a comparison, the line to send: it stands below the struck one. */
function lineOf(lines: readonly Line[], location: string): number {
  for (let at = location; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
    const isAt = (line: Line): boolean => line.location === at;
    const after = lines.findIndex((line) => isAt(line) && line.look === 'after');
    const index = after >= 0 ? after : lines.findIndex(isAt);
    if (index >= 0) return index;
  }
  return 0;
}

/** The difference of two messages. A line is the same if its place and its text are; a comma at its end says nothing about it. */
export function differenceOf(before: readonly Line[], after: readonly Line[]): Line[] {
  const keyOf = ({ location, pieces }: Line): string =>
    `${location} ${pieces.map(({ text }) => text).join('')}`.replace(/,$/, '');
  const places = new Map(after.map((line, at) => [keyOf(line), at]));
  const lines: Line[] = [];
  let next = 0;
  const addUntil = (end: number): void => {
    for (; next < end; next += 1) lines.push({ ...(after[next] as Line), look: 'after' });
  };
  for (const line of before) {
    const at = places.get(keyOf(line)) ?? -1;
    if (at < next) {
      lines.push({ ...line, look: 'before' });
    } else {
      addUntil(at);
      lines.push({ ...(after[at] as Line), look: 'same' });
      next = at + 1;
    }
  }
  addUntil(after.length);
  return lines;
}
