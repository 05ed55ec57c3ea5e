/**
 * The value that a client meant by one that a field does not allow: the same value written in another way, or with a typo.
 * A text that may mean something else is left alone: `unsold` is not `sold`.
 */
import { distance } from 'fastest-levenshtein';
import { isObject, type JsonValue, parseIfJson, readDecimal } from '../int64.ts';
import { textOf } from './request-text.ts';
import { type Field, valueOfText } from './specification.ts';

/** Neither an object, nor a list, nor nothing. */
export const isScalar = (value: JsonValue | undefined): value is NonNullable<JsonValue> =>
  value !== undefined && value !== null && !Array.isArray(value) && !isObject(value);

/** The only allowed value that one in JSON means; `undefined` if that is not clear. */
export function closestValue(field: Field, sent: JsonValue): JsonValue | undefined {
  const [meant, ...others] = meantValues(field, textOf(sent));
  return meant === undefined || others.length > 0 ? undefined : valueOfText(field, meant);
}

/** The allowed values that a text names: none if it is not clear, several for a list. @param sent a parameter's, or JSON */
export function meantValues(field: Field, sent: string): readonly string[] {
  if (field.enum) return meantOfEnum(field.enum, field.name, sent);
  const value = meantValue(field, sent);
  return value === undefined ? [] : [value];
}

function meantValue(field: Field, sent: string): string | undefined {
  if (field.type === 'boolean') return /^(?:true|false)$/i.test(sent) ? sent.toLowerCase() : undefined;
  if (field.type === 'number') return allowedBy(field, Number(sent)) ? String(Number(sent)) : undefined;
  if (field.type === 'other') return undefined;
  if (field.type === 'string') return allowedBy(field, sent) ? sent : undefined;
  const value = integerIn(sent);
  if (value === undefined || !allowedBy(field, Number(value))) return undefined;
  if (value >= field.minimum && value <= field.maximum) return String(value);
  // Another number may name something, and -1 is often none at all.
  if (!COUNT.test(field.name) || value < 0n) return undefined;
  const bound = value < field.minimum ? field.minimum : field.maximum;
  return allowedBy(field, Number(bound)) ? String(bound) : undefined;
}

/** Of something that may be brought within its bounds. */
const COUNT = /^(?:limit|count|size|top|per_?page|page_?size)$/i;

const allowedBy = ({ check }: Field, value: string | number): boolean =>
  !Number.isNaN(value) && (check === undefined || check(value));

/** `+5`, `05`, `5.0` and `0x5` give 5; `undefined` for a text that is no whole number. */
export function integerIn(text: string): bigint | undefined {
  const digits = text.trim();
  if (/^0x[\da-f]{1,16}$/i.test(digits)) return BigInt(digits);
  const plain = digits
    .replace(/^\+/, '')
    .replace(/^(-?)0{1,400}(?=\d)/, '$1')
    .replace(/\.$/, '');
  const exact = readDecimal(plain) ?? (/^[-\d]/.test(plain) ? parseIfJson(plain) : undefined);
  return typeof exact === 'bigint' ? exact : undefined;
}

/** What makes another value of it, in queries of other servers: `!sold`, `-sold`, `<>sold`, `>sold`. */
const NEGATED = /[!~^\u00ac\u2260]|<>|^\s*[<>](?![^>]*>\s*$)|(?:^|[\s:=([,"'])-/;

/** What enumerations, lists and filters put around a value: `PetStatus.SOLD`, `in:sold`, `{"eq":"sold"}`. */
const AROUND = /^(?:pet|enum|value|name|type|in|eq|equals|is|any|of|list|array|set)$/;

/** Beginnings of other words: `unavailable`. */
const OTHER_WORD = /^(?:un|non?|not|in|im|dis|de|re|pre|ex|semi|half)/;

function meantOfEnum(values: readonly string[], name: string, sent: string): readonly string[] {
  const isSame = (text: string) => (value: string) => value.toLowerCase() === text.toLowerCase();
  const same = values.find(isSame(sent.trim()));
  if (same !== undefined) return [same];
  if (NEGATED.test(sent) || sent.length > MAX_COMPARED_TEXT) return [];
  const words = (sent.match(/[\p{L}\d]+/gu) ?? []).map((word) => word.toLowerCase());
  const named = [...new Set(words.flatMap((word) => values.find(isSame(word)) ?? []))];
  const isAround = (word: string): boolean => AROUND.test(word) || [name, `pet${name}`].some(isSame(word));
  if (named.length > 0) return words.every((word) => isAround(word) || named.some(isSame(word))) ? named : [];
  const [word = '', ...further] = words;
  return further.length > 0 ? [] : typoOf(word, values);
}

const MAX_COMPARED_TEXT = 200;

function typoOf(word: string, values: readonly string[]): readonly string[] {
  // `unsold` and `spending` are words of their own.
  if (values.some((value) => word.includes(value.toLowerCase()))) return [];
  const near = values.filter((value) => {
    const wanted = value.toLowerCase();
    if (wanted[0] !== word[0] || (OTHER_WORD.test(word) && !OTHER_WORD.test(wanted))) return false;
    return distance(word, wanted) <= Math.min(2, Math.ceil(wanted.length / 4)) || isBeginning(word, wanted);
  });
  return near.length === 1 ? near : [];
}

const isBeginning = (word: string, value: string): boolean => word.length >= 4 && value.startsWith(word);
