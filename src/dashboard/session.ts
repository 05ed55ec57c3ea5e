/** This tab's session: a key, its server, and the sandbox that it opens. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { withoutAddress } from '../base/address.ts';
import { ControlsClient } from '../client/client.ts';
import type { Schema } from '../client/routes.ts';

/** The address of this page, without a trailing slash: the server's, or that of a sandbox on it. */
const pageAddress = (): string => new URL('.', document.baseURI).href.replace(/\/$/, '');

/** The server's address as seen by this page, without a trailing slash. */
export const serverOfPage = (): string => withoutAddress(pageAddress());

/** A client for calls that need no key. */
export const openClient = (): ControlsClient => new ControlsClient({ url: pageAddress() });

/** One sandbox, opened by one key. */
export interface Session {
  readonly key: string;
  /** Base address of the API in this sandbox: `http://127.0.0.1:4020/sbx_5mVwQx0c2LhT8Ryd/v1`. */
  readonly baseUrl: string;
  readonly sandbox: Schema<'Sandbox'>;
  readonly client: ControlsClient;
  /** Tells `change` after each request of this page that may have changed the sandbox. */
  readonly changes: EventTarget;
}

/** @throws {ClientError} for a key that opens nothing */
export async function openSession(key: string): Promise<Session> {
  const changes = new EventTarget();
  const client = new ControlsClient({
    url: serverOfPage(),
    credential: key,
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      if (init.method !== 'GET') changes.dispatchEvent(new Event('change'));
      return response;
    },
  });
  const sandbox = await client.request('GET /');
  return { key, baseUrl: client.at(sandbox.id).apiUrl, sandbox, client, changes };
}

/** Opens the sandbox of a link that signs in. @throws {ClientError} for a code that was used or has expired */
export async function openByCode(code: string): Promise<Session> {
  const { key } = await openClient().request('POST /sign-in', { body: { code } });
  return openSession(key);
}

/** Opens a sandbox in this tab, and closes it. */
export interface SignIn {
  readonly open: (session: Session) => void;
  /** The address stays, so that another key opens the same. */
  readonly leave: () => void;
  readonly signOut: () => void;
}

const nowhere = (): void => undefined;
export const SignInContext = createContext<SignIn>({ open: nowhere, leave: nowhere, signOut: nowhere });
export const useSignIn = (): SignIn => useContext(SignInContext);

export const SessionContext = createContext<Session | undefined>(undefined);

/** The session of every view: views are only shown with one. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('a view was shown without a session');
  return session;
}

/** This tab's key, in the tab's own storage: never in an address or a cookie. */
const SLOT = 'petstore-sandbox-key';

export const keptKey = (): string | undefined => sessionStorage.getItem(SLOT) ?? undefined;

export function keepKey(key: string | undefined): void {
  if (key === undefined) sessionStorage.removeItem(SLOT);
  else sessionStorage.setItem(SLOT, key);
}
