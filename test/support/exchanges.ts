/** Exchanges as the service hands them to the validator, the request log and the report. Each says only what a test is about. */
import { type Exchange, NO_EFFECT, type RecordedRequest, type RecordedResponse } from '../../src/base/api/exchange.ts';

/** What differs from an accepted request of one sandbox that was answered with 200. */
export interface Parts extends Partial<Omit<Exchange, 'request' | 'response'>> {
  readonly request?: Partial<RecordedRequest>;
  readonly response?: Partial<RecordedResponse>;
}

export const pet = { id: 1, name: 'Biscuit', categoryId: 1, status: 'available' };

const request: RecordedRequest = {
  method: 'GET',
  target: '/v1/pets',
  authorization: 'Bearer …',
  contentType: undefined,
  bodyBytes: 0,
  body: undefined,
  bodyUnread: false,
};

const response: RecordedResponse = { status: 200, contentType: 'application/json; charset=utf-8', body: '' };

let count = 0;

const exchange = (operation: string, parts: Parts, own: Parts): Exchange => {
  count += 1;
  return {
    id: `req_${count}`,
    sandbox: 'sbx_one',
    address: undefined,
    owner: parts.sandbox ?? 'sbx_one',
    operation,
    specification: 'petstore',
    at: 0,
    startedMs: 0,
    durationMs: 1,
    respondedAt: 1,
    disconnectedAt: undefined,
    delayMs: 0,
    changes: NO_EFFECT,
    requestHeaders: [],
    responseHeaders: [],
    decision: { kind: 'accepted' },
    injectedFault: undefined,
    verdict: undefined,
    ...parts,
    request: { ...request, ...own.request, ...parts.request },
    response: { ...response, ...own.response, ...parts.response },
  };
};

/** @param query with its `?` */
export const listPets = (query = '', parts: Parts = {}): Exchange =>
  exchange('listPets', parts, {
    request: { target: `/v1/pets${query}` },
    response: { body: JSON.stringify([pet]) },
  });

export const getPet = (id: string | number = 1, parts: Parts = {}): Exchange =>
  exchange('getPet', parts, { request: { target: `/v1/pets/${id}` }, response: { body: JSON.stringify(pet) } });

/** @param sent a text is sent as it is, anything else as JSON */
export const createPet = (sent: unknown, parts: Parts = {}): Exchange => {
  const body = typeof sent === 'string' ? sent : JSON.stringify(sent);
  const bodyBytes = body === undefined ? 0 : Buffer.byteLength(body);
  return exchange('createPet', parts, {
    request: { method: 'POST', body, bodyBytes, contentType: 'application/json' },
    response: { status: 201, body: JSON.stringify(pet) },
  });
};

/** The exchange got an Error body. */
export const errorResponse = (status: number): Parts => ({
  response: { status, body: JSON.stringify({ code: 'invalid_request', message: 'it is wrong', status }) },
});
