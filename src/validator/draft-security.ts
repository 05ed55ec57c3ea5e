/** Whether a request is authenticated as a draft wants it. */

import type { RecordedRequest } from '../api/exchange.ts';
import { inside } from '../core/pointer.ts';
import { queryIn } from '../core/text.ts';
import type { DraftViolation } from './draft.ts';
import type { DraftOperation, Scheme } from './draft-operations.ts';

/** `undefined` for one that is; what is wrong with its fix, or why that is not known. */
type Held = DraftViolation | { readonly unknown: string } | undefined;

/** @param headers by their names in lower case */
export function authenticationOf(
  request: RecordedRequest,
  headers: Readonly<Record<string, string>>,
  { security }: DraftOperation,
): Held {
  const alternatives = security.map((schemes) =>
    heldTogether(schemes.map((scheme) => heldBy(request, headers, scheme))),
  );
  if (alternatives.length === 0 || alternatives.includes(undefined)) return undefined;
  return alternatives.find((each) => each !== undefined && 'unknown' in each) ?? alternatives[0];
}

const heldTogether = (all: readonly Held[]): Held =>
  all.find((each) => each !== undefined && 'rule' in each) ?? all.find((each) => each !== undefined);

function heldBy(request: RecordedRequest, headers: Readonly<Record<string, string>>, scheme: Scheme): Held {
  const { key, type } = scheme;
  if (type === 'http') return heldByHttp(request, scheme);
  if (type === 'apiKey') return heldByKey(request, headers, scheme);
  if (type !== 'oauth2' && type !== 'openIdConnect') return look(key, `${type}, which a log does not show`);
  const what = `a token of ${type}`;
  return schemeOf(request) === 'bearer'
    ? look(key, what)
    : missing(key, 'header/authorization', what, 'Authorization: Bearer <TOKEN>');
}

const schemeOf = ({ authorization = '' }: RecordedRequest): string =>
  (authorization.split(' ')[0] as string).toLowerCase();

const look = (key: string, what: string): Held => ({
  unknown: `header/authorization: the draft takes ${what} (${key}); ask whether what you send is one`,
});

function missing(key: string, location: string, what: string, form: string): Held {
  const message = `the draft authenticates by ${what} (${key})`;
  const pointer = inside('#/components/securitySchemes', key);
  return { side: 'request', location, pointer, rule: 'authentication', message, fix: `Send \`${form}\`` };
}

function heldByHttp(request: RecordedRequest, { key, bearerFormat, scopes, ...scheme }: Scheme): Held {
  const wanted = String(scheme['scheme']).toLowerCase();
  const isBearer = wanted === 'bearer';
  const form = `Authorization: ${wanted.charAt(0).toUpperCase()}${wanted.slice(1)} <${isBearer ? 'API_KEY' : 'CREDENTIALS'}>`;
  if (schemeOf(request) !== wanted)
    return missing(key, 'header/authorization', isBearer ? 'a bearer token' : `HTTP ${wanted}`, form);
  if (typeof bearerFormat === 'string') return look(key, `a bearer token of the format ${bearerFormat}`);
  return scopes.length > 0 ? look(key, `a key with the scopes ${scopes.join(', ')}`) : undefined;
}

function heldByKey(
  { target }: RecordedRequest,
  headers: Readonly<Record<string, string>>,
  { key, ...scheme }: Scheme,
): Held {
  const name = String(scheme['name']);
  const kind = String(scheme['in']);
  const id = kind === 'header' ? name.toLowerCase() : `cookie/${name}`;
  if (id === 'authorization') return look(key, 'the key in Authorization without a scheme');
  const isSent = kind === 'query' ? new URLSearchParams(queryIn(target)).get(name) : headers[id];
  if (isSent) return undefined;
  if (kind === 'query') return missing(key, `query/${name}`, `the query parameter ${name}`, `?${name}=<API_KEY>`);
  if (headers['…'] !== undefined) return look(key, `the ${kind} ${name}, which is not recorded`);
  return kind === 'cookie'
    ? missing(key, id, `the cookie ${name}`, `Cookie: ${name}=<API_KEY>`)
    : missing(key, `header/${id}`, `the header ${name}`, `${name}: <API_KEY>`);
}
