/** Sends a draft to the interface, with this tab's key and marked as a request of this page. */
import { ClientError } from '../../../client/errors.ts';
import { type Session, serverAddress } from '../session.ts';
import { type Draft, hasBody, headersIn } from './draft.ts';

export interface Answer {
  readonly status: number;
  /** The exchange in the traffic. */
  readonly id: string | undefined;
}

/** @throws {TypeError} for a draft that the browser cannot send @throws {ClientError} if no response came */
export async function sendDraft({ method, target, headers, body }: Draft, session: Session): Promise<Answer> {
  const address = addressOf(target, session);
  const sent = headersIn(headers);
  sent.set('Authorization', `Bearer ${session.key}`);
  sent.set('Sandbox-Intent', 'dashboard');
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
    throw ClientError.notReached(session.baseUrl, cause);
  });
  await response.text().catch(() => undefined);
  return { status: response.status, id: response.headers.get('Sandbox-Request-Id') ?? undefined };
}

/** The address as the browser sends it. @throws {TypeError} for one outside the interface */
export function addressOf(target: string, { baseUrl }: Pick<Session, 'baseUrl'>): string {
  const { href } = new URL(target.startsWith('/') ? serverAddress() + target : 'none:', document.baseURI);
  if (href === baseUrl || href.startsWith(`${baseUrl}/`) || href.startsWith(`${baseUrl}?`)) return href;
  throw new TypeError(`The path must begin with ${new URL(baseUrl).pathname}: the key is sent to the interface only`);
}
