/**
 * Changes that a fault makes to a response's body: allowed ones, as in a later version of the service (`vary`), or
 * forbidden ones (`corrupt`). A body is one flat object, or an array of flat objects.
 */
import type { Body } from '../http/response.ts';
import { type JsonObject, type JsonValue, NumberLiteral, parseJson } from '../int64.ts';
import type { Fault } from '../sandbox/faults.ts';

type Members = readonly (readonly [name: string, value: JsonValue])[];

/** Values that are not in the specification. */
const NEW_STATUS = 'reserved';
const NEW_CODE = 'quota_spent';
const NEW_MEMBER = ['sandboxNewMember', 'added by a fault'] as const;

/** The changed body, in chunks if the original was in chunks. */
export function altered(body: Body, { vary = [], corrupt }: Pick<Fault, 'vary' | 'corrupt'>): Body {
  const pieces = typeof body === 'string' ? piecesOf(body) : body.flatMap(objectsIn);
  const between = vary.includes('space') ? ' \n ' : '';
  let isFirst = true;
  const changed = pieces.map((piece) => {
    if (!piece.startsWith('{')) return `${between}${piece}${between}`;
    const members = varied(membersOf(piece), vary, isFirst);
    const text = written(isFirst ? corrupted(members, corrupt) : members, between);
    isFirst = false;
    return text;
  });
  if (corrupt !== undefined && (isFirst || corrupt === 'json')) breakOff(changed, corrupt);
  return typeof body === 'string' ? changed.join('') : changed;
}

/** Splits a body into `[`, object, `,`, object, `]`; or one object. */
function piecesOf(text: string): readonly string[] {
  const value = parseJson(text);
  if (!Array.isArray(value)) return [text];
  const objects = value.flatMap((each, i) => [
    ...(i === 0 ? [] : [',']),
    written(Object.entries(each as JsonObject), ''),
  ]);
  return ['[', ...objects, ']'];
}

/** A chunk of a long list may contain several objects separated by commas. */
function objectsIn(piece: string | Buffer): readonly string[] {
  const text = piece.toString();
  return text.startsWith('{') ? piecesOf(`[${text}]`).slice(1, -1) : [text];
}

const membersOf = (text: string): Members => Object.entries(parseJson(text) as JsonObject);

function varied(members: Members, vary: NonNullable<Fault['vary']>, isFirst: boolean): Members {
  const isError = members.some(([name]) => name === 'code');
  let all = members;
  if (vary.includes('status') && isFirst && !isError) all = withValue(all, 'status', NEW_STATUS);
  if (vary.includes('code') && isError) all = withValue(all, 'code', NEW_CODE);
  if (vary.includes('field')) all = [...all, NEW_MEMBER];
  return vary.includes('order') ? all.toReversed() : all;
}

const withValue = (members: Members, name: string, value: string): Members => [
  ...members.filter((member) => member[0] !== name),
  [name, value],
];

/** Corrupts one object: changes the type of its first integer, or removes its first member. */
function corrupted(members: Members, corrupt: Fault['corrupt']): Members {
  if (corrupt === 'required') return members.slice(1);
  if (corrupt !== 'type') return members;
  const at = members.findIndex(([, value]) => typeof value === 'bigint');
  return members.map(([name, value], i) => [name, i === at ? String(value) : value]);
}

/**
 * Corrupts the whole body: invalid JSON lacks its last character. A list without objects gets one with the requested
 * flaw.
 */
function breakOff(pieces: string[], corrupt: NonNullable<Fault['corrupt']>): void {
  const last = (pieces.at(-1) as string).trimEnd();
  if (corrupt === 'json') pieces[pieces.length - 1] = last.slice(0, -1);
  else pieces.splice(0, pieces.length, corrupt === 'type' ? '{}' : '[{}]');
}

const written = (members: Members, between: string): string =>
  `{${members.map(([name, value]) => `${between}${JSON.stringify(name)}${between}:${between}${textOf(value)}`).join(',')}${between}}`;

/** The text of a value, digit for digit. */
const textOf = (value: JsonValue): string => {
  if (typeof value === 'bigint') return String(value);
  return value instanceof NumberLiteral ? value.text : JSON.stringify(value);
};
