/**
 * The messages between the main thread and the validator's: batches of strings, because posting objects costs ten times
 * as much. An input is a line with an array of JSON, then both bodies as they are, because to escape them would cost more
 * than all else.
 */
import type { Exchange, Verdict } from '../../base/api/exchange.ts';

/** The worker's message when it is ready; every later message is a list of verdicts, in the order of the inputs. */
export const WORKER_READY = 'ready';

/** Everything that a verdict depends on. */
export interface ValidatorInput extends Pick<Exchange, 'request' | 'response'> {
  /** `getPet` */
  readonly operation: string;
}

/** The placeholder of a credential, and its form in the text: characters of one byte are written fastest. */
const HIDDEN = '…';
const ONE_BYTE = '\n';

/** Serializes everything that a verdict depends on, and nothing else. */
export function encodeInput({ operation = '', request, response }: Exchange): string {
  const { body, ...head } = request;
  const authorization = request.authorization?.replace(HIDDEN, ONE_BYTE);
  const { status, contentType } = response;
  const line = JSON.stringify([operation, { ...head, authorization }, { status, contentType }]);
  return `${line}${body?.length ?? ''}\n${body ?? ''}${response.body}`;
}

/** The inverse of `encodeInput`. */
export function decodeInput(text: string): ValidatorInput {
  const line = text.indexOf('\n');
  const end = text.lastIndexOf(']', line) + 1;
  const [operation, head, answer] = JSON.parse(text.slice(0, end));
  const bodies = line + 1;
  const received = bodies + Number(text.slice(end, line));
  return {
    operation,
    request: {
      ...head,
      authorization: head.authorization?.replace(ONE_BYTE, HIDDEN),
      body: end === line ? undefined : text.slice(bodies, received),
    },
    response: { ...answer, body: text.slice(received) },
  };
}

/** The combined length of an input's short fields. */
const SHORT_FIELDS = 100;

/** The approximate length of an exchange's input, without building it. */
export const charactersOfInput = ({ request, response }: Exchange): number =>
  SHORT_FIELDS +
  request.target.length +
  (request.contentType?.length ?? 0) +
  (request.body?.length ?? 0) +
  response.body.length;

/** A verdict as text: empty for one without findings. */
export const encodeVerdict = (verdict: Verdict): string =>
  verdict.violations.length === 0 && verdict.warnings.length === 0 && verdict.validationError === undefined
    ? ''
    : JSON.stringify(verdict);

/** The inverse of `encodeVerdict`. */
export const decodeVerdict = (text: string): Verdict =>
  text === '' ? { violations: [], warnings: [] } : (JSON.parse(text) as Verdict);
