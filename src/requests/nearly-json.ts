/** An object as JavaScript or Python writes it: other quotes, no quotes, comments, a last comma, `None`. */
import { isObject, type JsonObject, parseIfJson } from '../core/int64.ts';

const MAX_NEARLY_JSON = 2_000;

/** Strings in each kind of quotes, and comments. What is in them stays as it is. */
const APART =
  /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|\u201c[^\u201d]*\u201d|\/\/[^\n]*|\/\*[\s\S]*?\*\/|#[^\n]*/g;

/** The object that a text means; `undefined` if that is not certain. */
export function objectNearlyIn(text: string): JsonObject | undefined {
  const known = parseIfJson(text);
  if (isObject(known)) return known;
  if (known !== undefined || !/^\s*\{/.test(text) || text.length > MAX_NEARLY_JSON) return undefined;
  const strings: string[] = [];
  const rest = text.replaceAll(APART, (part) => {
    if (/^[/#]/.test(part)) return ' ';
    strings.push(asJsonString(part));
    return `\0${strings.length - 1}\0`;
  });
  const repaired = rest
    .replaceAll(/([{,]\s{0,9})([A-Za-z_]\w{0,99})\s{0,9}:/g, '$1"$2":')
    .replaceAll(/,\s{0,9}([}\]])/g, '$1')
    .replaceAll(/([:[,]\s{0,9})(?:None|undefined)\b/g, '$1null')
    .replaceAll(/([:[,]\s{0,9})True\b/g, '$1true')
    .replaceAll(/([:[,]\s{0,9})False\b/g, '$1false')
    .replace(/;\s*$/, '');
  const found = parseIfJson(repaired.replaceAll(/\0(\d+)\0/g, (_, at) => strings[Number(at)] as string));
  return isObject(found) ? found : undefined;
}

function asJsonString(part: string): string {
  if (part.startsWith('"')) return part;
  const inner = part.slice(1, -1).replaceAll(/\\(['`])/g, '$1');
  return `"${inner.replaceAll(/(\\.)|"/g, (_, escaped) => escaped ?? '\\"')}"`;
}

/** A number that JSON does not have, outside of strings: `NaN`, as Python's `json.dumps` writes it. */
export const noJsonNumber = (text: string): string | undefined =>
  /[:[,]\s*([-+]?(?:NaN|Infinity|Inf|nan|inf))\b/.exec(text.replaceAll(APART, ' '))?.[1];
