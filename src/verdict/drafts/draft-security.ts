/** Whether a request is authenticated as a draft wants it. */

import { inside } from '../../base/address.ts';
import type { RecordedRequest } from '../../base/api/exchange.ts';
import { queryIn } from '../../base/text.ts';
import type { DraftViolation } from './draft.ts';
import type { DraftOperation, Scheme } from './draft-operations.ts';

/** What is wrong with an authentication, or why that is not known; `undefined` for one that the draft takes. */
export type Finding = DraftViolation | { readonly unknown: string } | undefined;

/** @param headers by their names in lower case */
export function authenticationOf(
  { target, authorization = '' }: RecordedRequest,
  headers: Readonly<Record<string, string>>,
  { security }: DraftOperation,
): Finding {
  const used = (authorization.split(' ')[0] as string).toLowerCase();
  const query = new URLSearchParams(queryIn(target));
  const alternatives = security.map((schemes) => {
    const all = schemes.map((scheme) => findingOf(scheme, used, query, headers));
    return all.find((each) => each !== undefined && 'rule' in each) ?? all.find((each) => each !== undefined);
  });
  if (alternatives.length === 0 || alternatives.includes(undefined)) return undefined;
  return alternatives.find((each) => each !== undefined && 'unknown' in each) ?? alternatives[0];
}

function findingOf(
  scheme: Scheme,
  used: string,
  query: URLSearchParams,
  headers: Readonly<Record<string, string>>,
): Finding {
  const { key, type, name, in: place } = scheme;
  if (type !== 'apiKey') return tokenFinding(scheme, used);
  const id = place === 'header' ? String(name).toLowerCase() : `${place}/${name}`;
  if (id === 'authorization') return look(key, 'the key without a scheme');
  if (place === 'query' ? query.get(String(name)) : headers[id]) return undefined;
  if (place === 'query') return missing(key, id, `?${name}=<API_KEY>`);
  if (headers['…'] !== undefined) return look(key, `the ${place} ${name}, which is not recorded`);
  return place === 'cookie'
    ? missing(key, id, `Cookie: ${name}=<API_KEY>`)
    : missing(key, `header/${id}`, `${name}: <API_KEY>`);
}

function tokenFinding({ key, type, bearerFormat, scopes, ...scheme }: Scheme, used: string): Finding {
  if (type !== 'http' && !TOKENS.includes(type)) return look(key, type);
  const wanted = type === 'http' ? String(scheme['scheme']).toLowerCase() : 'bearer';
  const form = `Authorization: ${wanted.charAt(0).toUpperCase()}${wanted.slice(1)} <CREDENTIALS>`;
  if (used !== wanted) return missing(key, 'header/authorization', form);
  if (type !== 'http') return look(key, `a token of ${type}`);
  if (typeof bearerFormat === 'string') return look(key, `a token of the format ${bearerFormat}`);
  return scopes.length > 0 ? look(key, `a key with the scopes ${scopes.join(', ')}`) : undefined;
}

const TOKENS = ['oauth2', 'openIdConnect'];

const missing = (key: string, location: string, form: string): Finding => ({
  ...{ side: 'request', location, pointer: inside('#/components/securitySchemes', key), rule: 'authentication' },
  message: `the draft needs \`${form}\` (${key})`,
  fix: `Send \`${form}\``,
});

const look = (key: string, what: string): Finding => ({
  unknown: `header/authorization: the draft takes ${what} (${key}); ask whether what you send is one`,
});
