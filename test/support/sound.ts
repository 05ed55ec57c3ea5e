/** What must be true of every response, whatever was asked (design: what the description leaves open). */
import { ERROR_STATUS } from '../../src/base/api/errors.ts';
import type { Reply, TestRequest } from './client.ts';

/** @throws an error that names what is wrong with the response */
export function checkResponse({ method = 'GET', path }: TestRequest, reply: Reply, key: string | undefined): void {
  const wrong = [...wrongHeaders(path, reply), ...leaks(reply, key)];
  // A browser that looks for a page of the documentation gets a page.
  const isPage = path.startsWith('/docs/') && reply.headers['content-type'] === 'text/html; charset=utf-8';
  if (reply.status >= 400 && method !== 'HEAD' && !isPage) wrong.push(...wrongError(reply));
  if (wrong.length === 0) return;
  const shown = `${reply.status} ${JSON.stringify(reply.rawHeaders)} ${reply.text.slice(0, 500)}`;
  throw new Error(`${method} ${path.slice(0, 200)} got an unsound answer: ${wrong.join('; ')}: ${shown}`);
}

function wrongHeaders(path: string, { status, headers }: Reply): string[] {
  const wrong: string[] = [];
  if (!/^req_[A-Za-z0-9]{16}$/.test(String(headers['sandbox-request-id']))) wrong.push('no Sandbox-Request-Id');
  if (headers['x-content-type-options'] !== 'nosniff') wrong.push('no nosniff');
  if (headers['x-powered-by'] !== undefined) wrong.push('X-Powered-By');
  const isFile = !/^\/(v1|_sandbox)\b/.test(path) && status < 400;
  if (!isFile && headers['cache-control'] !== 'no-store') wrong.push('may be cached');
  if (!isFile && (headers.etag !== undefined || status === 304)) wrong.push('ETag or 304');
  if (path.startsWith('/v1/') && headers['access-control-allow-origin'] === undefined) wrong.push('not open to pages');
  return wrong;
}

function wrongError({ status, headers, text }: Reply): string[] {
  if (headers['content-type'] !== 'application/json') return [`an error as ${headers['content-type']}`];
  const body = parsed(text);
  if (Object.keys(body).sort().join() !== 'code,message,status') {
    // Those of a verification have further fields (design: the control API).
    if (!String(body['code']).startsWith('verification_')) return ['no Error body'];
  }
  const { code, message, status: said } = body;
  if (said !== status) return [`an Error body of status ${said}`];
  if (typeof message !== 'string' || message === '') return ['no message'];
  if (code === 'injected_fault') return [];
  return ERROR_STATUS[code as keyof typeof ERROR_STATUS] === status ? [] : [`code ${code} with status ${status}`];
}

/** `at f (/src/a.ts:1:2)` or `at node:net:1:2`, but no time of day after the word "at". */
const STACK = /\bat (?:[^"\n]{1,100} \()?(?:node:|[^\s"()]*\/)[^\s"()]*:\d+:\d+|node_modules|file:\/\/\//;

/** No stack, no path of this machine, and no key. */
function leaks({ rawHeaders, text }: Reply, key: string | undefined): string[] {
  const all = [...rawHeaders, text].join('\n');
  const wrong: string[] = [];
  if (STACK.test(all)) wrong.push('a stack');
  if (all.includes(process.cwd())) wrong.push('a path of this machine');
  if (key !== undefined && all.includes(key)) wrong.push('the key');
  return wrong;
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
