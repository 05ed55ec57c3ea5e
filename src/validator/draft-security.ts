/** Whether a request that today's API accepts is authenticated as a draft wants it. */

import type { RecordedRequest, Violation } from '../api/exchange.ts';
import { inside } from '../core/pointer.ts';
import { queryIn } from '../core/text.ts';
import type { DraftOperation, Scheme } from './draft-operations.ts';

/** `undefined` for one that is; what is wrong with its fix, or why that is not known. */
export type Held = { readonly violation: Violation; readonly fix: string } | { readonly unknown: string } | undefined;

export function authenticationOf(request: RecordedRequest, { security }: DraftOperation): Held {
  const alternatives = security.map((schemes) => heldTogether(schemes.map((scheme) => heldBy(request, scheme))));
  if (alternatives.length === 0 || alternatives.includes(undefined)) return undefined;
  return alternatives.find((each) => each !== undefined && 'unknown' in each) ?? alternatives[0];
}

const heldTogether = (all: readonly Held[]): Held =>
  all.find((each) => each !== undefined && 'violation' in each) ?? all.find((each) => each !== undefined);

function heldBy(request: RecordedRequest, scheme: Scheme): Held {
  const { key, type } = scheme;
  switch (type) {
    case 'http':
      return heldByHttp(request, scheme);
    case 'apiKey':
      return heldByKey(request, scheme);
    case 'oauth2':
    case 'openIdConnect':
      if (isBearer(request))
        return { unknown: `the draft takes a token of ${key} (${type}); ask whether an API key is one` };
      return instead(scheme, 'header/authorization', `a token of ${type}`, 'Send `Authorization: Bearer <TOKEN>`');
    default:
      return {
        unknown: `the draft authenticates by ${key} (${String(type)}), which a log does not show; ask what it needs`,
      };
  }
}

const isBearer = ({ authorization = '' }: RecordedRequest): boolean => /^bearer\s+\S/i.test(authorization);

function instead({ key }: Scheme, location: string, what: string, fix: string): Held {
  const message = `the draft authenticates by ${what} (${key})`;
  const pointer = inside('#/components/securitySchemes', key);
  return { violation: { side: 'request', location, pointer, rule: 'authentication', message }, fix };
}

function heldByHttp(request: RecordedRequest, scheme: Scheme): Held {
  const wanted = String(scheme['scheme']);
  const { scopes, bearerFormat } = scheme;
  if (wanted !== 'bearer') {
    if (request.authorization?.toLowerCase().startsWith(`${wanted} `)) return undefined;
    const fix = `Send \`Authorization: ${titled(wanted)} <CREDENTIALS>\``;
    return instead(scheme, 'header/authorization', `HTTP ${wanted}`, fix);
  }
  if (!isBearer(request))
    return instead(scheme, 'header/authorization', 'a bearer token', 'Send `Authorization: Bearer <API_KEY>`');
  if (typeof bearerFormat === 'string')
    return { unknown: `the draft takes a bearer token of the format ${bearerFormat}; ask whether an API key is one` };
  if (scopes.length > 0)
    return { unknown: `the draft needs the scopes ${scopes.join(', ')}; ask whether your key has them` };
  return undefined;
}

function heldByKey({ target }: RecordedRequest, scheme: Scheme): Held {
  const name = String(scheme['name']);
  if (scheme['in'] === 'query') {
    const sent = new URLSearchParams(queryIn(target)).get(name) ?? '';
    return sent === ''
      ? instead(scheme, `query/${name}`, `the query parameter ${name}`, `Add ${name}=<API_KEY> to the query`)
      : undefined;
  }
  if (scheme['in'] === 'cookie')
    return instead(scheme, `cookie/${name}`, `the cookie ${name}`, `Send \`Cookie: ${name}=<API_KEY>\``);
  if (name.toLowerCase() === 'authorization')
    return { unknown: 'the draft takes the key in Authorization without a scheme; ask whether "Bearer" may stay' };
  return instead(scheme, `header/${name.toLowerCase()}`, `the header ${name}`, `Send \`${name}: <API_KEY>\``);
}

const titled = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
