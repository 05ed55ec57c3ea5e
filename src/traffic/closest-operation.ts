/** Finds the operation that a request was probably meant for if none matches: by path, then by method. */

import { pathOfTarget } from '../base/address.ts';
import { basePath, operations } from '../base/generated/facts.ts';
import { didYouMean } from '../base/text.ts';

/** The number of path segments that are compared. */
const MAX_SEGMENTS = 12;
/** The cost of each difference; a path whose cost exceeds the limit matches nothing. */
const COST = { misspelled: 1, parameter: 1, segment: 2, method: 3 };
const MAX_COST = 6;

/** A deprecated operation is never suggested: nobody starts to use it. */
const known = Object.values(operations)
  .filter(({ deprecated }) => !deprecated)
  .map(({ method, path }) => ({
    method: method.toUpperCase(),
    path: `${basePath}${path}`,
    segments: segmentsOf(path),
  }));

const METHODS: ReadonlySet<string> = new Set([
  'HEAD',
  ...Object.values(operations).map(({ method }) => method.toUpperCase()),
]);

/** Whether an operation has this method. */
export const isMethod = (method: string): boolean => METHODS.has(method);

/** `GET /v1/pets` for `GET /v1/pet`; `undefined` if nothing is near. @param target with or without a query */
export function nearestOperation(method: string, target: string): string | undefined {
  // Nothing stands in for a method that the API does not have.
  if (!isMethod(method)) return undefined;
  const sent = segmentsOf(plainPath(target)).slice(0, MAX_SEGMENTS);
  let best: string | undefined;
  let least = MAX_COST + 1;
  for (const { method: needed, path, segments } of known) {
    const ofMethod = needed === method || (needed === 'GET' && method === 'HEAD') ? 0 : COST.method;
    const cost = costOf(sent, segments) + ofMethod;
    if (cost >= least) continue;
    least = cost;
    best = `${needed} ${path}`;
  }
  return best;
}

/**
 * The path of a target as it was meant: `/v1/pets/1` for `/v1/pets%2F1`, which was encoded as a whole, and for `/v1\pets\1`,
 * which a program on Windows joined.
 */
export function plainPath(target: string): string {
  const path = pathOfTarget(target).replaceAll('\\', '/');
  try {
    return (decodeURIComponent(path).split('?', 1)[0] as string).replaceAll('\\', '/');
  } catch {
    return path;
  }
}

/** Whether a target is under the base path: `/v1`, `/v1/pets`, `/v1?a=b`. */
export const isBelowBase = (target: string): boolean =>
  target.startsWith(basePath) && ['/', '?', ''].includes(target.charAt(basePath.length));

/** Whether a path looks like one of the API: `/pets`, `/api/pets/1`, `/v2/anything`. */
export const looksLikeApi = (target: string): boolean =>
  /^\/v\d/i.test(target) || nearestOperation('GET', target) !== undefined;

/** The distance between the sent segments and those of an operation, ignoring a prefix such as `/api` or `/v2`. */
function costOf(sent: readonly string[], segments: readonly string[]): number {
  const [resource = ''] = segments;
  const start = sent.findIndex((segment) => isNear(segment, resource));
  if (start < 0) return Number.POSITIVE_INFINITY;
  const rest = sent.slice(start);
  let cost = COST.segment * Math.abs(rest.length - segments.length);
  for (const [at, segment] of segments.entries()) {
    const sentSegment = rest[at];
    if (sentSegment === undefined || sentSegment === segment) continue;
    if (!segment.startsWith('{')) cost += isNear(sentSegment, segment) ? COST.misspelled : COST.segment;
    else if (!/^[+-]?\d+$/.test(sentSegment)) cost += COST.parameter;
  }
  return cost;
}

const isNear = (segment: string, name: string): boolean => segment === name || didYouMean(segment, [name]) === name;

/** Ignores empty segments: `/v1/pets/` has the segments of `/v1/pets`. */
function segmentsOf(path: string): string[] {
  return path
    .replace(/\.(?:json|xml)$/i, '')
    .split('/')
    .filter((segment) => segment !== '');
}
