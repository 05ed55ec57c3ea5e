/** Checks decisions of the sandbox that apply to every response, beyond the specification. */
import { ERROR_STATUS } from '../errors.ts';
import { schemas } from '../generated/facts.ts';
import type { JsonObject, JsonValue } from '../int64.ts';
import type { ProbeResponse } from './http-probe.ts';
import type { Mismatch } from './response-validator.ts';

/** The differences of a response from these decisions. @param value its body, `null` if that is missing or invalid */
export const beyondSpecification = (response: ProbeResponse, value: JsonValue): readonly Mismatch[] => [
  ...challengeOf(response),
  ...methodsOf(response),
  ...codeOf(response, value),
  ...furtherMembersOf(response, value),
];

function challengeOf({ status, headers }: ProbeResponse): Mismatch[] {
  const said = headers['www-authenticate'];
  if (status !== ERROR_STATUS.unauthorized || /^Bearer\b/i.test(said ?? '')) return [];
  const why = `WWW-Authenticate: ${said ?? 'none'}`;
  return [{ rule: 'www-authenticate', expected: 'WWW-Authenticate: Bearer', why }];
}

function methodsOf({ status, headers }: ProbeResponse): Mismatch[] {
  if (status !== ERROR_STATUS.method_not_allowed || headers.allow !== undefined) return [];
  return [{ rule: 'allow', expected: 'Allow, with the methods of this path', why: 'no Allow' }];
}

function codeOf({ status }: ProbeResponse, value: JsonValue): Mismatch[] {
  const code = status >= 400 ? (value as JsonObject | null)?.['code'] : undefined;
  const own = Object.entries(ERROR_STATUS).flatMap(([name, each]) => (each === status ? [name] : []));
  if (typeof code !== 'string' || own.length === 0 || own.includes(code)) return [];
  return [{ rule: 'error-code', expected: `the code ${own.join(' or ')}` }];
}

/** The schemas allow additional members, so a validator does not report them. */
function furtherMembersOf({ status }: ProbeResponse, value: JsonValue): Mismatch[] {
  const schema = status >= 400 ? 'Error' : 'Pet';
  const known = Object.keys(schemas[schema].properties);
  const objects = [value].flat().filter((each) => typeof each === 'object' && each !== null) as JsonObject[];
  const further = new Set(objects.flatMap((object) => Object.keys(object).filter((name) => !known.includes(name))));
  if (further.size === 0) return [];
  const why = `further: ${[...further].slice(0, 5).join(', ')}`;
  return [{ rule: 'further-members', expected: `only the members of ${schema}: ${known.join(', ')}`, why }];
}
