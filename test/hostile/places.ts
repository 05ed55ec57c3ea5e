/** Places of requests in which a client may write a text. */
import type { TestRequest } from '../support/client.ts';

/**
 * A place in a request that takes a text, and after how many characters of it a message about it is cut. Texts that cannot
 * stand there are not sent: HTTP itself rejects them.
 */
export type Place = readonly [name: string, cutAfter: number, request: (text: string) => TestRequest, takes?: RegExp];

export const JSON_TYPE = { 'Content-Type': 'application/json' };
export const post = (path: string, body: string, headers: Record<string, string> = JSON_TYPE): TestRequest => ({
  method: 'POST',
  path,
  body,
  headers,
});
export const pet = (members: string): TestRequest => post('/v1/pets', `{"name":"Rex","categoryId":1${members}}`);
/** In place of the key of the sandbox. */
export const NO_KEY = { Authorization: 'Basic x' };
export const get = (path: string, headers: Record<string, string> = {}): TestRequest => ({ path, headers });
/** A message of an agent. */
export const message = (body: string): TestRequest =>
  post('/_sandbox/mcp', body, { ...JSON_TYPE, Accept: 'application/json, text/event-stream' });
const rpc = (method: string, params: object): TestRequest =>
  message(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
export const toolCall = (name: string, args: object): TestRequest => rpc('tools/call', { name, arguments: args });

export const PLACES: readonly Place[] = [
  ['an unknown path of the API', 96, (text) => get(`/v1/${text}`)],
  ['an unknown path', 99, (text) => get(`/${text}`)],
  ['an unknown path of the control API', 90, (text) => get(`/_sandbox/${text}`)],
  ['the id of a pet', 40, (text) => get(`/v1/pets/${text}`)],
  ['the name of a parameter', 100, (text) => get(`/v1/pets?${text}=1`)],
  ['the value of a parameter', 40, (text) => get(`/v1/pets?status=${text}`)],
  ['a limit', 40, (text) => get(`/v1/pets?limit=${text}`)],
  ['an address that cannot be read', 98, (text) => get(`/v1/pets?x=${text}%zz`)],
  ['a parameter of a control', 100, (text) => get(`/_sandbox/requests?${text}=1`)],
  ['the value of a parameter of a control', 60, (text) => get(`/_sandbox/requests?since=${text}`)],
  ['the sandbox that is named', 60, (text) => get(`/_sandbox?sandbox=${text}`)],
  ['the id of a request', 60, (text) => get(`/_sandbox/requests/${text}`)],
  ['the name of a snapshot to drop', 60, (text) => ({ method: 'DELETE', path: `/_sandbox/snapshots/${text}` })],
  ['a media type', 80, (text) => post('/v1/pets', '{}', { 'Content-Type': `text/${text}` })],
  ['a charset', 60, (text) => post('/v1/pets', '{}', { 'Content-Type': `application/json; charset=${text}` })],
  ['a content encoding', 40, (text) => post('/v1/pets', '{}', { ...JSON_TYPE, 'Content-Encoding': text })],
  ['a host', 100, (text) => get('/_sandbox/health', { Host: text })],
  ['a host that is this machine', 0, (text) => get('/_sandbox/keys', { Host: `${text}.localhost` }), /^[\w.~-]*$/],
  ['an origin', 100, (text) => get('/_sandbox/health', { Origin: text })],
  ['a part of Sandbox-Fault', 40, (text) => get('/v1/pets', { 'Sandbox-Fault': `${text}=1` })],
  ['a value in Sandbox-Fault', 40, (text) => get('/v1/pets', { 'Sandbox-Fault': `status=${text}` })],
  ['an unmatched path', 194, (text) => get(`/pets/${text}`, NO_KEY)],
  ['an unmatched query', 0, (text) => get(`/v1/pets?api_key=${text}`, NO_KEY)],
  ['an unmatched X-Api-Key', 0, (text) => get('/v1/pets', { ...NO_KEY, 'X-Api-Key': text })],
  ['an unmatched User-Agent', 200, (text) => get('/v1/pets', { ...NO_KEY, 'User-Agent': text })],
  ['a User-Agent, which names a run', 0, (text) => get('/v1/pets', { 'User-Agent': text })],
  ['a header that is kept', 0, (text) => get('/v1/pets', { 'X-Request-Id': text })],
  ['a key of another scheme', 0, (text) => get('/v1/pets', { Authorization: `Token ${text}` })],
  ['a key without a scheme', 0, (text) => get('/v1/pets', { Authorization: text })],
  ['an Idempotency-Key', 200, (text) => get('/v1/pets', { 'Idempotency-Key': text })],
  ['Prefer', 0, (text) => get('/v1/pets', { Prefer: `code=${text}` })],
  ['a field of a pet that is not known', 100, (text) => pet(`,"${text}":1`)],
  ['a status', 40, (text) => pet(`,"status":"${text}"`)],
  ['a category', 40, (text) => post('/v1/pets', `{"name":"Rex","categoryId":"${text}"}`)],
  ['a field that is given twice', 64, (text) => pet(`,"${text}":1,"${text}":2`)],
  ['a body that is no JSON', 180, (text) => post('/v1/pets', `{"a":"${text}","b":${text}`)],
  ['a label', 0, (text) => post('/_sandbox/keys', `{"label":"${text}"}`)],
  ['the label of a fork', 0, (text) => post('/_sandbox/fork', `{"label":"${text}","ttlSeconds":1}`)],
  ['the name of a snapshot', 60, (text) => post('/_sandbox/snapshots', `{"name":"${text}"}`)],
  ['the name of a fixture', 60, (text) => post('/_sandbox/reset', `{"fixture":"${text}"}`)],
  ['a field of a control that is not known', 100, (text) => post('/_sandbox/reset', `{"${text}":1}`)],
  ['a path that is looked for', 197, (text) => post('/_sandbox/requests/verify', `{"path":"/${text}"}`)],
  ['a method of MCP', 70, (text) => rpc(text, {})],
  ['a tool of MCP', 70, (text) => toolCall(text, {})],
  ['a parameter of a tool', 70, (text) => toolCall('requests', { [text]: 1 })],
  ['an argument of a tool', 70, (text) => toolCall('sandbox_change', { restore: { snapshot: text } })],
  ['a body that is looked for', 198, (text) => post('/_sandbox/requests/verify', `{"body":{"${text}":"${text}"}}`)],
];
