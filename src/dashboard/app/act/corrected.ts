/** A request with its findings corrected, by the same suggestions as in the report. */
import type { Schema } from '../../../client/routes.ts';
import { NumberLiteral, parseDigits, writeJson } from '../../../core/int64.ts';
import { insteadOf } from '../../../requests/instead.ts';
import { nameOf, pathInBody, RequestParts, type Spot } from '../../../requests/request-parts.ts';
import { type Draft, draftOf } from './draft.ts';

type Exchange = Schema<'Exchange'>;
type Members = Record<string, unknown>;

/** @returns `undefined` if there is nothing to correct, or no suggestion for it */
export function correctedDraft(exchange: Exchange): Draft | undefined {
  const { request, violations, warnings, operation } = exchange;
  if (request.truncated || request.unread) return undefined;
  const sent = draftOf(exchange);
  const ofPath: readonly Spot[] = operation === null ? [{ location: 'operation', rule: 'no-operation' }] : [];
  const findings: readonly Spot[] = [...ofPath, ...violations.filter(({ side }) => side === 'request'), ...warnings];
  const draft = findings.reduce((now, spot) => corrected(now, spot, operation ?? undefined), sent);
  return isSame(draft, sent) ? undefined : draft;
}

const isSame = (a: Draft, b: Draft): boolean =>
  a.method === b.method && a.target === b.target && a.headers === b.headers && a.body === b.body;

function corrected(draft: Draft, spot: Spot, operation: string | undefined): Draft {
  const [kind] = spot.location.split('/', 1);
  // What replaces a deprecated operation is another request.
  if (kind === 'operation' && spot.rule !== 'no-operation') return draft;
  const fragment = insteadOf(partsOf(draft, operation), spot);
  if (fragment === undefined) return draft;
  const line = /^([A-Z]+) (\/.*)$/.exec(fragment);
  if (line) return { ...draft, method: line[1] as string, target: line[2] as string };
  switch (kind) {
    case 'query':
      return { ...draft, target: withPair(draft.target, spot.location.slice('query/'.length), fragment) };
    case 'path':
      return { ...draft, target: [fragment, ...draft.target.split('?').slice(1)].join('?') };
    case 'body':
      return { ...draft, body: withMember(draft.body, spot, fragment) };
    case 'header':
      return fragment.startsWith('Content-Type') ? { ...draft, headers: withHeader(draft.headers, fragment) } : draft;
    default:
      return draft;
  }
}

const partsOf = ({ method, target, body }: Draft, operation: string | undefined): RequestParts =>
  new RequestParts({
    operation: operation as never,
    request: {
      method,
      target,
      body,
      authorization: undefined,
      contentType: undefined,
      bodyBytes: body.length,
      bodyUnread: false,
    },
  });

/** The pair takes the place of the first one of that name; further ones are left out. */
function withPair(target: string, name: string, fragment: string): string {
  const [path, query = ''] = target.split(/\?(.*)/s, 2);
  const [pair = ''] = alternativesIn(fragment);
  const pairs = query.split('&').filter((each) => each !== '');
  const at = pairs.findIndex((each) => nameOf(each) === name);
  const others = pairs.filter((each) => nameOf(each) !== name && nameOf(each) !== nameOf(pair));
  const before = at < 0 ? others.length : pairs.slice(0, at).filter((each) => others.includes(each)).length;
  return `${path}?${[...others.slice(0, before), pair, ...others.slice(before)].join('&')}`;
}

function withMember(body: string, { location }: Spot, fragment: string): string {
  const members = membersIn(body);
  const [name] = pathInBody(members as never, location);
  if (fragment.startsWith('{') && (members === undefined || name === undefined || !Object.hasOwn(members, name))) {
    // No member was named: the suggestion is a whole body.
    return members === undefined || name === undefined ? writeJson(parseDigits(fragment), 2) : body;
  }
  if (members === undefined || name === undefined) return body;
  const { [name]: found, ...others } = members;
  const suggested = fragment.startsWith('{') ? {} : memberIn(fragment);
  if (suggested === undefined) return body;
  // A member that is only renamed keeps its value, however long.
  const [to] = Object.keys(suggested);
  const kept = to !== undefined && to !== name && found !== undefined ? { [to]: found } : suggested;
  return writeJson({ ...others, ...kept }, 2);
}

function membersIn(body: string): Members | undefined {
  try {
    const value = parseDigits(body);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject && !(value instanceof NumberLiteral) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** `"status":"available"|"sold"` is the first of them. */
function memberIn(fragment: string): Members | undefined {
  return [fragment, ...alternativesIn(fragment)].map((each) => membersIn(`{${each}}`)).find((each) => each);
}

const alternativesIn = (fragment: string): readonly string[] => fragment.split('|');

function withHeader(headers: string, header: string): string {
  const name = header.split(':', 1)[0]?.toLowerCase();
  const others = headers.split('\n').filter((line) => line.split(':', 1)[0]?.trim().toLowerCase() !== name);
  return [header, ...others].filter((line) => line !== '').join('\n');
}
