/**
 * The catalogue of rules: the meaning of each finding and how to fix the client. All formats of the report take their
 * texts from here, and `docs/reference/rules.md` is generated from it.
 */

import type { components } from '../generated/control-api.d.ts';
import { fixOf } from '../requests/instead.ts';
import { BEHAVIOR } from './behavior.ts';
import type { Rule } from './results.ts';

const RULES: Readonly<Record<string, readonly [title: string, help: string]>> = {
  'request/required': [
    'A required part is missing',
    'Send the field or parameter that the message names. A misspelt name counts as missing.',
  ],
  'request/type': [
    'A value has another type',
    'Send text in quotation marks and an integer without them, in plain digits: 10, not 010, 1e1 or +10. Leave an optional field out instead of sending null.',
  ],
  'request/enum': [
    'A value is not one of the allowed ones',
    'Send one of the allowed values exactly as the specification writes it, in small letters.',
  ],
  'request/minimum': [
    'A number is below its minimum',
    'Send a number within the bounds. The service rejects others and does not correct them.',
  ],
  'request/maximum': [
    'A number is above its maximum',
    'Send a number within the bounds. The service rejects others and does not correct them.',
  ],
  'request/format': [
    'A number does not fit its format',
    'Send an integer from -9223372036854775808 to 9223372036854775807. Keep it in a 64-bit integer, not in a double.',
  ],
  'request/syntax': [
    'A body is not JSON',
    'Write the body with a JSON library. The message names the first wrong position, counted from 0.',
  ],
  'request/content-type': [
    'A body is sent as another media type',
    'Send `Content-Type: application/json` with every body.',
  ],
  'request/security': ['No key was sent', 'Send the key with every request: `Authorization: Bearer <API_KEY>`.'],
  'request/removed': [
    'An operation is removed',
    'Move to its replacement before that day. For an announced date, set the clock of the sandbox to try it.',
  ],
  'request/base-path': [
    'The base path changes',
    'Make the base address of the API a setting of the client, and change it on that day.',
  ],
  'request/authentication': [
    'The authentication changes',
    'Send the credential as the draft describes it. Keep the present one until the change.',
  ],
  'request/gone': [
    'A parameter or a field is gone',
    'Leave it out, or send what replaces it. A server may ignore or reject what it does not know.',
  ],
  'api-change': [
    'A change that requests do not show',
    'Test the client with a response like the sample, or with what the message describes.',
  ],
  'request/percent-encoding': [
    'An address is badly percent-encoded',
    'Build addresses with a URL library. A percent sign itself is written `%25`.',
  ],
  'request/other': ['A request breaks the specification', 'Compare the request with the place in the specification.'],
  'response/other': [
    'A response breaks the specification',
    'This is a bug of the server that sent it, not of the client. Report it with the id of the request.',
  ],
  'no-operation': [
    'No operation matches a request',
    'Call the operations that the specification describes: base path, path and method exactly, without a slash at the end.',
  ],
  'malformed-http': [
    'A request is not HTTP',
    'Send requests with an HTTP library, and build addresses with a URL library. The message names what the parser rejected.',
  ],
  'int64-rounded': [
    'A 64-bit integer came back rounded',
    'Read ids and categories into a 64-bit integer type. In JavaScript use a JSON reader that keeps the digits, or BigInt.',
  ],
  'int64-possibly-rounded': [
    'A 64-bit integer may have come back rounded',
    'If the client meant the number that it was given, read it into a 64-bit integer type. If it made this number itself, all is well.',
  ],
  unmatched: [
    'A request belongs to no sandbox',
    'Send the key with every request, `Authorization: Bearer <API_KEY>`, to a path under the base path of the API.',
  ],
  'unknown-field': [
    'A body has an unknown field',
    'Correct the name of the field or leave it out. The service ignores it, so that its value is lost.',
  ],
  'unknown-parameter': [
    'A query has an unknown parameter',
    'Correct the name of the parameter or leave it out. The service ignores it. Names are case-sensitive.',
  ],
  deprecated: [
    'A deprecated operation is used',
    'Move to the replacement before the operation is removed. The sandbox shows that day if you set its clock.',
  ],
  'expected-invalid-but-valid': [
    'A request says that it is to be rejected, but was accepted',
    'Send what the API rejects in this test, or take the header `Sandbox-Expect` out of it.',
  ],
  rejected: [
    'The API rejected a valid request',
    'Use ids that a response contained, a key that is still valid, and operations that are not removed.',
  ],
  'rejected-beyond-specification': [
    'The service rejects what the specification does not forbid',
    'Send the plain form: each field once, UTF-8, a small body, and no content encoding.',
  ],
  ...Object.fromEntries(Object.entries(BEHAVIOR).map(([id, { says }]) => [id, says])),
};

/** Every rule, in the order of the page. */
export const rules: readonly Rule[] = Object.entries(RULES).map(([id, [title, help]]) => ({
  id,
  title,
  help,
  page: 'docs/reference/rules.md',
  // As code hosts derive it from a heading.
  anchor: id.replaceAll(/[^a-z0-9-]/g, ''),
}));

/** The rule of a finding. A finding without its own entry uses the general one of its side. */
export function ruleOf(id: string): Rule {
  const known = Object.hasOwn(RULES, id) ? id : id.startsWith('request/') ? 'request/other' : 'response/other';
  return rules.find((rule) => rule.id === known) as Rule;
}

/** A finding with its title and its fix. @param id of its rule */
export function advised<Found extends { readonly sample: components['schemas']['Sample'] }>(
  id: string,
  found: Found,
): Found & { title: string; fix: string } {
  const { title, help } = ruleOf(id);
  return { ...found, title, fix: fixOf(found.sample) ?? help };
}
