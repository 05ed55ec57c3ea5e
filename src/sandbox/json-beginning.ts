/** The beginning of a value's JSON, for display: a value may be a megabyte. */
import { type JsonValue, NumberLiteral } from '../int64.ts';

/**
 * About `room` characters of a value's JSON, and little more work than that. A list or an object that does not fit
 * loses its last members, so the text is for people, not for a parser.
 */
export function jsonBeginning(value: JsonValue, room: number): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, room));
  if (value instanceof NumberLiteral) return value.text.slice(0, room + 1);
  if (typeof value !== 'object' || value === null) return String(value);
  let text = '';
  for (const [name, member] of Object.entries(value)) {
    if (text.length > room) break;
    const named = Array.isArray(value) ? '' : `${JSON.stringify(name.slice(0, room))}:`;
    text += `${text === '' ? '' : ','}${named}${jsonBeginning(member, room - text.length)}`;
  }
  return Array.isArray(value) ? `[${text}]` : `{${text}}`;
}
