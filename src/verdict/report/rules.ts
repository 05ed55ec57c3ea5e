/**
 * The catalog of rules: the meaning of each finding and how to fix the client. All formats of the report take their
 * texts from here, and `docs/reference/rules.md` is generated from it.
 */

import { BEHAVIOR } from './behavior.ts';

export interface Rule {
  readonly id: string;
  readonly title: string;
  /** What to do, in full sentences. */
  readonly help: string;
}

const RULES: Readonly<Record<string, readonly [title: string, help: string]>> = {
  'request/required': ['A required part is missing', 'Send this field or parameter. Check its spelling.'],
  'request/type': [
    'A value has the wrong type',
    'Write integers in plain digits: 10, not "10", 010, 1e1 or +10. Leave an optional field out instead of sending null.',
  ],
  'request/enum': ["A value isn't one of the allowed ones", 'Send one of the allowed values, in lowercase.'],
  'request/minimum': ['A number is below its minimum', 'Send a number within the bounds.'],
  'request/maximum': ['A number is above its maximum', 'Send a number within the bounds.'],
  'request/format': [
    "A number doesn't fit its format",
    'Send an integer from -9223372036854775808 to 9223372036854775807. Keep it in a 64-bit integer, not a double.',
  ],
  'request/syntax': ["A body isn't JSON", 'Write bodies with a JSON library.'],
  'request/content-type': ['A body has the wrong media type', 'Send `Content-Type: application/json` with every body.'],
  'request/security': ['No key was sent', 'Send the key with every request: `Authorization: Bearer <API_KEY>`.'],
  'request/removed': [
    'An operation is removed',
    "Switch to its replacement before that day. Set the sandbox's clock to try it.",
  ],
  'request/authentication': [
    'The authentication changes',
    'From that day on, send the credential as the draft describes it.',
  ],
  'request/gone': ['A parameter or field is gone', 'Ask what replaces it: a server may ignore or reject it.'],
  'api-change': ["A change that requests don't show", 'Test your client with such a response.'],
  'request/percent-encoding': [
    'An address has invalid percent-encoding',
    'Build addresses with a URL library. Write a percent sign as `%25`.',
  ],
  'request/other': ['A request breaks the specification', 'Compare the request with the specification.'],
  'response/other': [
    'A response breaks the specification',
    'This is a bug of the server. Report it with the id of the request.',
  ],
  'no-operation': [
    'No operation matches a request',
    'Use the exact base path, path and method, without a slash at the end.',
  ],
  'malformed-http': ["A request isn't HTTP", 'Use an HTTP library, and build addresses with a URL library.'],
  'int64-rounded': [
    'A 64-bit integer came back rounded',
    'Read ids and categories as 64-bit integers; in JavaScript, use BigInt or a JSON reader that keeps the digits.',
  ],
  'int64-possibly-rounded': [
    'A 64-bit integer may have come back rounded',
    'If the number came from a response, read it as a 64-bit integer. If your client chose it, all is well.',
  ],
  unmatched: [
    'A request matches no sandbox',
    'Send the key with every request, to a path under the base path of the API.',
  ],
  'unknown-field': ['A body has an unknown field', 'Correct its name or leave it out. The service ignores it.'],
  'unknown-parameter': [
    'A query has an unknown parameter',
    'Correct its name or leave it out. The service ignores it. Names are case-sensitive.',
  ],
  deprecated: ['A deprecated operation is used', "Switch to its replacement before it's removed."],
  'expected-invalid-but-valid': [
    'A request was expected to be rejected, but was accepted',
    'Send something invalid, or remove the header `Sandbox-Expect`.',
  ],
  rejected: [
    'The API rejected a valid request',
    "Use ids from a response, a valid key, and operations that aren't removed.",
  ],
  'rejected-beyond-specification': [
    'The service rejects what the specification allows',
    'Send the plain form: each field once, UTF-8, a small body, and no content encoding.',
  ],
  'not-validated': ["A request couldn't be validated", 'Follow the message. Instead of a HEAD, send a GET.'],
  'injected-fault': ['A fault was injected', 'Check how your client handles this response.'],
  'untriggered-fault': [
    'No request triggered a fault rule',
    'Send a request that it selects, or delete it with `faults clear`.',
  ],
  'nothing-seen': [
    'No documented response was seen',
    'Run your client against the address of its sandbox, with its key.',
  ],
  incomplete: ["The check couldn't finish", 'Follow the message, then run your client again.'],
  note: ['Something to know', 'Nothing needs correction.'],
  'dropped-failure': [
    'A failed request is no longer in the log',
    'Clear the log before a test, or run fewer tests at once.',
  ],
  'not-counted': ["A failed report isn't counted", 'Merge each report only once: a merged report, or its parts.'],
  ...Object.fromEntries(Object.entries(BEHAVIOR).map(([id, { says }]) => [id, says])),
};

/** Every rule, in the order of the page. */
export const rules: readonly Rule[] = Object.entries(RULES).map(([id, [title, help]]) => ({ id, title, help }));

/** The rule of a finding. A finding without its own entry uses the general one of its side. */
export function ruleOf(id: string): Rule {
  const known = Object.hasOwn(RULES, id) ? id : id.startsWith('request/') ? 'request/other' : 'response/other';
  return rules.find((rule) => rule.id === known) as Rule;
}
