/** A request as people paste it elsewhere. Bodies are texts, so that no digit of an int64 is lost. */

import { pathOfTarget } from '../../base/address.ts';
import { shellQuoted } from '../../base/text.ts';
import type { Schema } from '../../client/routes.ts';

/** The address of a target on a server. One without its slash, like `@host/`, must not lead the key to another host. */
export const addressOn = (server: string, target: string): string =>
  target.startsWith('/') ? server + target : `${server}/${target}`;

type Details = Schema<'RequestDetails'>;

interface Snippet {
  /** As in “Copy as curl”. */
  readonly name: string;
  readonly text: string;
}

/** @returns nothing if the request log does not hold the whole body */
export function snippetsOf(exchange: Details, server: string, key: string): Snippet[] {
  const curl = curlOf(exchange, server, key);
  if (curl === undefined) return [];
  return [
    { name: 'curl', text: curl },
    { name: 'a test', text: testOf(exchange) },
    { name: 'issue text', text: issueOf(exchange, curl.replaceAll(key, '<KEY>')) },
    { name: 'prompt', text: promptOf(exchange, curl.replaceAll(key, '<KEY>')) },
  ];
}

/** More backticks than a text has in a row, so that it cannot end its code. */
const ticks = (text: string, least: number): string =>
  '`'.repeat((text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length + 1), least));

const block = (language: string, text: string): string =>
  [`${ticks(text, 3)}${language}`, text, ticks(text, 3)].join('\n');

const inline = (text: string): string => [ticks(text, 1), text, ticks(text, 1)].join(text.includes('`') ? ' ' : '');

/** For a tracker: what is wrong, what to send, and how to see it. Without the key. */
function issueOf({ method, target, status, response, findings, corrected }: Details, curl: string): string {
  const wrong = findings.map(
    ({ location, message, instead }) =>
      `- ${inline(location)}: ${message}${instead === null ? '' : `: send ${inline(instead)}`}`,
  );
  return [
    `## ${method} ${pathOfTarget(target)} gives ${status || 'no response'}`,
    ...(wrong.length === 0 ? [] : [wrong.join('\n')]),
    ...(corrected === null
      ? []
      : [
          'Send this instead:',
          block('http', [`${corrected.method} ${corrected.target}`, corrected.body ?? ''].join('\n').trim()),
        ]),
    ...(response.body ? ['The response:', block('json', response.body)] : []),
    'To reproduce:',
    block('sh', curl),
    '',
  ].join('\n\n');
}

/** For a coding agent. */
const promptOf = (exchange: Details, curl: string): string =>
  `Our client of the petstore API sends a request that breaks its specification. Find where this request is made, and fix it there. Don't change what is valid, and don't catch the error instead.

${issueOf(exchange, curl)}`;

function testOf(exchange: Schema<'Exchange'>): string {
  const { method, target, request, status } = exchange;
  const type = request.contentType === null ? '' : `, 'Content-Type': ${JSON.stringify(request.contentType)}`;
  const body = request.body === null ? '' : `\n    body: ${JSON.stringify(request.body)},`;
  // The address of a sandbox ends in /v1.
  const path = JSON.stringify(target.replace(/^\/v1/, ''));
  return `import { expect } from 'vitest';
import { test } from 'petstore-sandbox/vitest';

test(${JSON.stringify(`${method} ${pathOfTarget(target)} gives ${status}`)}, async ({ sandbox }) => {
  const response = await fetch(sandbox.url + ${path}, {
    method: ${JSON.stringify(method)},
    headers: { Authorization: \`Bearer \${sandbox.key}\`${type} },${body}
  });
  expect(response.status).toBe(${status});
});
`;
}

/** `undefined` if the request log does not contain the whole body. */
function curlOf({ method, target, request }: Schema<'Exchange'>, server: string, key: string): string | undefined {
  if (request.unread || request.truncated) return undefined;
  const parts = [
    'curl -i',
    ...(method === 'GET'
      ? []
      : method === 'HEAD'
        ? ['--head']
        : [`-X ${/^[A-Z]+$/.test(method) ? method : shellQuoted(method)}`]),
    // Curl would interpret brackets and braces in a URL.
    ...(/[[\]{}]/.test(target) ? ['--globoff'] : []),
    '--path-as-is',
    shellQuoted(addressOn(server, target)),
    `-H ${shellQuoted(`Authorization: Bearer ${key}`)}`,
    ...(request.contentType === null ? [] : [`-H ${shellQuoted(`Content-Type: ${request.contentType}`)}`]),
    ...(request.body === null ? [] : [`--data-raw ${shellQuoted(request.body)}`]),
  ];
  return parts.join(' ');
}
