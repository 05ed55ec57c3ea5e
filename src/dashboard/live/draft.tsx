/** A request that this page can send: of an exchange, as it was or corrected. */
import { useState } from 'preact/hooks';
import { basePath } from '../../base/generated/facts.ts';
import { ClientError } from '../../client/errors.ts';
import type { Schema } from '../../client/routes.ts';
import { useAction } from '../kit/action.ts';
import { addressOf } from '../route.ts';
import { type Session, useSession } from '../session.ts';
import { plainLines } from './lines.ts';
import { StatusCode } from './list.tsx';
import { LinesOf } from './message.tsx';

export interface Draft {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** One `Name: value` a line, without the key. */
  readonly headers: string;
  readonly body: string;
}

/** Headers that the page or the browser sets. */
const SET_HERE = new Set(['authorization', 'user-agent', 'content-length', 'sandbox-expect', 'sandbox-source']);

/** The request as it was sent, as far as the request log holds it. */
export const draftOf = ({ method, target, request }: Schema<'Exchange'>): Draft => ({
  method,
  target,
  headers: Object.entries(request.headers)
    .filter(([name]) => !SET_HERE.has(name.toLowerCase()))
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n'),
  body: request.body ?? '',
});

/** The corrected request, with the other headers of the one that was sent. */
export const ofCorrected = (sent: Draft, { method, target, contentType, body }: Schema<'CorrectedRequest'>): Draft => ({
  method,
  target,
  headers: [
    ...(contentType === null ? [] : [`Content-Type: ${contentType}`]),
    ...sent.headers.split('\n').filter((line) => !/^content-type:|^$/i.test(line)),
  ].join('\n'),
  body: body ?? '',
});

/** Browsers send no body with these. */
export const hasBody = (method: string): boolean => method !== 'GET' && method !== 'HEAD';

/** @throws {TypeError} for a line that is no header */
function headersIn(text: string): Headers {
  const headers = new Headers();
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    const [name = '', value] = line.split(/:(.*)/s, 2);
    if (value === undefined) throw new TypeError(`“${line.trim()}” is no header: write Name: value`);
    try {
      headers.append(name.trim(), value.trim());
    } catch {
      throw new TypeError(`“${line.trim()}” has a character that no header may have`);
    }
  }
  return headers;
}

/** What came back. */
interface Answer {
  readonly status: number;
  /** The request in the list. */
  readonly id: string | undefined;
  readonly body: string;
}

/**
 * Sends a draft to the API, with this tab's key and marked as a request of this page.
 * @throws {TypeError} for a draft that the browser cannot send
 * @throws {ClientError} if no response came
 */
export async function sendDraft({ method, target, headers, body }: Draft, session: Session): Promise<Answer> {
  const address = sentTo(target, session);
  const sent = headersIn(headers);
  sent.set('Authorization', `Bearer ${session.key}`);
  sent.set('Sandbox-Source', 'dashboard');
  const options: RequestInit = {
    method,
    headers: sent,
    ...(hasBody(method) && body !== '' ? { body } : {}),
    cache: 'no-store',
    credentials: 'omit',
    redirect: 'manual',
  };
  // Some methods are forbidden to pages: this fails before anything is sent.
  const request = new Request(address, options);
  const response = await fetch(request).catch((cause) => {
    const message = 'The connection ended before a response came: a fault does that, or the server is gone.';
    throw new ClientError(
      { code: 'not_reached', message, status: 0, requestId: undefined, body: undefined },
      { cause },
    );
  });
  const text = await response.text().catch(() => '');
  return { status: response.status, body: text, id: response.headers.get('Sandbox-Request-Id') ?? undefined };
}

/** The address as the browser sends it. @throws {TypeError} for one outside the API */
function sentTo(target: string, { baseUrl }: Pick<Session, 'baseUrl'>): string {
  const server = baseUrl.slice(0, -basePath.length);
  const { href } = new URL(target.startsWith('/') ? server + target : 'none:', document.baseURI);
  if (href === baseUrl || href.startsWith(`${baseUrl}/`) || href.startsWith(`${baseUrl}?`)) return href;
  throw new TypeError(`The path must begin with ${basePath}: the key is sent to the API only`);
}

/** Sends drafts; the response to the last one, or why none came. */
export function useSending() {
  const session = useSession();
  const { run, isBusy, error } = useAction();
  const [answer, setAnswer] = useState<Answer | undefined>(undefined);
  const send = (draft: () => Draft | Promise<Draft>): void =>
    void run(async () => {
      const sent = await sendDraft(await draft(), session);
      setAnswer(sent);
      return `Sent: the response is ${sent.status}.`;
    });
  return { send, isBusy, answer, error };
}

interface AnswerProps {
  readonly answer: Answer;
  /** Of what this page sent, if it succeeded. */
  readonly note?: string;
}

/** A response in one line: its status and its body. */
export const AnswerView = ({ answer: { status, id, body }, note }: AnswerProps) => (
  <div class={`answer ${note === undefined ? '' : status < 400 ? 'good' : 'bad'}`}>
    <StatusCode status={status} />
    <LinesOf label="Response" lines={plainLines(status === 0 ? 'No response was sent.' : body)} />
    <small>
      {status < 400 ? note : note && 'sent from this page'}{' '}
      {id !== undefined && <a href={addressOf('live', id)}>open</a>}
    </small>
  </div>
);
