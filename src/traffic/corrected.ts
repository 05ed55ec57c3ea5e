/** A whole request with its findings corrected, by the same suggestions as in the report. */

import { pathOfTarget } from '../base/address.ts';
import { meantValues } from '../base/api/closest-value.ts';
import { applied } from '../base/api/edits.ts';
import type { Exchange, RecordedRequest } from '../base/api/exchange.ts';
import { readNewPet } from '../base/api/pet.ts';
import { queryPartsOf, valueOfPair } from '../base/api/request-text.ts';
import { operationAt, queryOf } from '../base/api/specification.ts';
import type { components } from '../base/generated/control-api.d.ts';
import { basePath, type OperationName, operations } from '../base/generated/facts.ts';
import { parseIfJson, writeJson } from '../base/int64.ts';
import { correctionOf } from './instead.ts';
import { SentParts, type Spot } from './request-parts.ts';

/** Described in `spec/control-api.yaml`. */
type Corrected = components['schemas']['CorrectedRequest'];

/** @returns null if there is nothing to correct, no suggestion for it, or the whole body is not known */
export function correctedRequest(exchange: Exchange): Corrected | null {
  const { request, operation, verdict, truncated } = exchange;
  if (truncated?.request || request.bodyUnread) return null;
  const { violations = [], warnings = [] } = verdict ?? {};
  const spots: readonly Spot[] = [
    ...(operation === undefined ? [{ location: 'operation', rule: 'no-operation' }] : []),
    ...violations.filter(({ side }) => side === 'request'),
    ...warnings,
  ];
  let draft = request;
  for (const spot of spots) {
    // What replaces a deprecated operation is another request.
    if (spot.location === 'operation' && spot.rule !== 'no-operation') continue;
    draft = applied(draft, correctionOf(new SentParts({ operation, request: draft }), spot).edits);
    // What is left concerns the operation that was not meant.
    if (spot.location.startsWith('path/') && operationOf(draft) !== operation) break;
  }
  if (draft === request || !isValid(draft)) return null;
  const { method, target, contentType = null, body } = draft;
  const value = body === undefined ? undefined : parseIfJson(body);
  return { method, target, contentType, body: value === undefined ? (body ?? null) : writeJson(value, 2) };
}

const operationOf = ({ method, target }: RecordedRequest): OperationName | undefined =>
  operationAt(method, pathOfTarget(target).slice(basePath.length));

/** Whether nothing is left that the service would reject. */
function isValid(request: RecordedRequest): boolean {
  const operation = operationOf(request);
  if (operation === undefined) return false;
  const pairs = queryPartsOf(request.target);
  return (
    queryOf(operation).every((field) => {
      const values = pairs.filter(({ name }) => name === field.name).map(({ text }) => valueOfPair(text));
      return values.length < 2 && values.every((value) => meantValues(field, value)[0] === value);
    }) &&
    (operations[operation].body === null || readNewPet(parseIfJson(request.body ?? '') ?? null, 'body').ok)
  );
}
