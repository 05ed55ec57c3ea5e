/** The request log as a shell script, one curl command for each request. The key comes from a variable. */
import { STATUS_CODES } from 'node:http';
import { pathOfAddress } from '../../base/address.ts';
import { injectedWords } from '../../base/api/fault-text.ts';
import { basePath } from '../../base/generated/facts.ts';
import { counted, printable, shellQuoted } from '../../base/text.ts';
import type { ShownExchange } from '../shown.ts';

/** Curl sets these itself. */
const BY_CURL = new Set(['Authorization', 'Content-Length', 'User-Agent']);

/**
 * The script as the parts of a long text: its items are the commands.
 * @param exchanges without secrets, the oldest first @param server its address, without a path @param usual the address of a
 * sandbox that requests were sent to, as far as is known @param missing how many requests are not among the exchanges
 */
export function curlParts(
  exchanges: Iterable<ShownExchange>,
  { server, usual }: { readonly server: string; readonly usual: string | null },
  missing: () => number,
) {
  let count = 0;
  function* commands(): Generator<string, void> {
    for (const exchange of exchanges) yield `\n${curlLines(exchange, ++count, usual).join('\n')}\n`;
  }
  const before = [
    '#!/bin/sh',
    '# Requests to a petstore sandbox, oldest first.',
    '# The key is not in this file: SANDBOX_KEY=petsbx_... sh requests.sh',
    `: "\${SANDBOX_KEY:?set it to the key of a sandbox}"`,
    `: "\${SANDBOX_URL:=${server}${pathOfAddress(usual)}${basePath}}"`,
    '',
  ].join('\n');
  const after = () => {
    const rest = missing() > 0 ? `; not in this file are ${missing()}: ${NOT_HERE}` : '';
    return `\n# ${counted(count, 'request')}${rest}.\n`;
  };
  return { before, items: commands(), between: '', after };
}

const NOT_HERE =
  'malformed ones, which curl cannot send, those without the key of a sandbox, and those that the request log has dropped';

function curlLines(exchange: ShownExchange, number: number, usual: string | null): string[] {
  const { id, status, method, address, request, injectedFault } = exchange;
  const outcome = status === 0 ? 'no response' : `${status} ${STATUS_CODES[status] ?? ''}`.trimEnd();
  const fault = injectedFault === null ? '' : `, by a fault: ${injectedWords(injectedFault)}`;
  const at = address === usual ? '' : `, at ${pathOfAddress(address)}${basePath}`;
  const title = `# ${number}. ${id}: ${outcome}${fault}${at}`;
  if (request.truncated || request.unread) {
    const why = request.truncated ? 'the request log has only the beginning of its body' : 'its body was not read';
    return [printable(`${title}; not sent again, because ${why}: ${method}`)];
  }
  return [printable(title), commandOf(exchange)];
}

function commandOf({ method, target, request }: ShownExchange): string {
  const inBase = target.startsWith(`${basePath}/`) || target.startsWith(`${basePath}?`) || target === basePath;
  // A target outside of the base path goes to the same server: without its slash it could name another one.
  const address = inBase
    ? `"$SANDBOX_URL"${shellQuoted(target.slice(basePath.length))}`
    : `"\${SANDBOX_URL%${basePath}}"${shellQuoted(target.startsWith('/') ? target : `/${target}`)}`;
  const headers = Object.entries(request.headers as Record<string, string>).filter(([name]) => !BY_CURL.has(name));
  const parts = [
    `curl -sS --globoff --path-as-is ${method === 'HEAD' ? '--head' : `-X ${shellQuoted(method)}`} ${address}`,
    ...(request.headers['Authorization'] === undefined ? [] : ['-H "Authorization: Bearer $SANDBOX_KEY"']),
    ...headers.map(([name, value]) => `-H ${shellQuoted(`${name}: ${value}`)}`),
    ...(request.body === null ? [] : [`--data-raw ${shellQuoted(request.body)}`]),
  ];
  return `${parts.join(' \\\n  ')}; echo`;
}
