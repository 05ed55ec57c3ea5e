/**
 * The credentials in traffic, so that nothing shows them: also where one is repeated in an address or a body, because a client
 * may put what it sends as a cookie or in `X-Api-Key` into an address as well. The validator and the service see a request as
 * it was sent; what is stored or shown is redacted.
 */
import { isCredentialHeader, isCredentialParameter, mayHaveCredential } from '../api/credential.ts';
import type { Exchange, Verdict } from '../api/exchange.ts';
import { createRedact, type Redact, redactedJson } from './redact.ts';
import { TooManySecrets } from './secret-search.ts';

/** Their number and their characters. Beyond them, all that has the shape of a credential is one as well. */
const MAX_CREDENTIALS = 20_000;
const MAX_CHARACTERS = 4 * 1024 * 1024;
/** Characters of one. A request has no longer header. */
const LONGEST = 16 * 1024;
/** Shorter values of a named credential, and of a cookie, are in many texts by chance. */
const SHORTEST = 6;
const SHORTEST_COOKIE = 8;
/** From this length on, letters alone are a credential in a cookie. */
const SHORTEST_WORD = 16;

export class Credentials {
  readonly #values = new Set<string>();
  #characters = 0;
  #isFull = false;
  readonly #most: number;

  /** @param most of them that are looked for one by one */
  constructor(most = MAX_CREDENTIALS) {
    this.#most = most;
  }

  get isEmpty(): boolean {
    return this.#values.size === 0;
  }

  /** @param name in any case */
  addHeader(name: string, value: string): void {
    const known = name.toLowerCase();
    if (!isCredentialHeader(known)) return;
    if (known === 'cookie') for (const pair of value.split(';')) this.addCookie(pair.slice(pair.indexOf('=') + 1));
    else if (known === 'set-cookie') this.addCookie((value.split(';', 1)[0] as string).replace(/^[^=]*=/, ''));
    else if (known.endsWith('authorization')) this.#addAuthorization(value.trim());
    else this.#add(value.trim(), SHORTEST);
  }

  addParameter(name: string, value: string): void {
    if (isCredentialParameter(name)) this.#add(decodedCredential(value), SHORTEST);
  }

  /** @param target an address, or the part of it from its path on */
  addTarget(target: string): void {
    const query = target.slice(target.indexOf('?') + 1).split('#', 1)[0] as string;
    for (const pair of query.split('&')) {
      const equals = pair.indexOf('=');
      if (equals > 0) this.addParameter(decodedCredential(pair.slice(0, equals)), pair.slice(equals + 1));
    }
  }

  /** A preference such as `dark` is no credential, and an address is none. */
  addCookie(value: string): void {
    const plain = decodedCredential(value.trim().replace(/^"(.*)"$/s, '$1'));
    const isWord = /^(?:[a-z_-]+|\d+)$/i.test(plain) && plain.length < SHORTEST_WORD;
    if (!isWord && !plain.includes('://')) this.#add(plain, SHORTEST_COOKIE);
  }

  /** Takes these out of texts, and whatever else is a secret by its shape. */
  redact(): Redact {
    const redact = this.#redactKnown();
    if (redact && !this.#isFull) return redact;
    const others = redact ?? createRedact([]);
    return (text) =>
      others(text).replaceAll(/[\w~+=-]{16,}/g, (run) => (/\d/.test(run) && /[a-z]/i.test(run) ? '[key]' : run));
  }

  /** `undefined` if there are more than can be looked for one by one. */
  #redactKnown(): Redact | undefined {
    try {
      return createRedact(this.#values);
    } catch (error) {
      if (!(error instanceof TooManySecrets)) throw error;
      return undefined;
    }
  }

  #addAuthorization(value: string): void {
    const [, scheme = '', rest = ''] = /^(\S+)\s+(.*)$/s.exec(value) ?? [undefined, '', value];
    this.#add(rest, SHORTEST);
    if (scheme.toLowerCase() !== 'basic') return;
    const [, user = '', password = ''] = /^([^:]*):(.*)$/s.exec(Buffer.from(rest, 'base64').toString()) ?? [];
    // Some services take a key as the user, without a password.
    this.#add(password === '' ? user : password, SHORTEST);
  }

  #add(value: string, shortest: number): void {
    const secret = value.slice(0, LONGEST);
    if (secret.length < shortest || !/^[\x20-\x7e]+$/.test(secret) || this.#values.has(secret)) return;
    this.#isFull ||= this.#values.size >= this.#most || this.#characters + secret.length > MAX_CHARACTERS;
    if (this.#isFull) return;
    this.#values.add(secret);
    this.#characters += secret.length;
  }
}

function decodedCredential(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Of one request: more of them would take milliseconds to look for. */
const MAX_OWN = 64;

/**
 * Takes the credentials of a request out of texts; `undefined` if it has none.
 * @param headers those that are credentials, as name, value, name, value
 */
export function redactOwn(headers: readonly string[], target: string): Redact | undefined {
  const isInTarget = mayHaveCredential(target);
  if (headers.length === 0 && !isInTarget) return undefined;
  const credentials = new Credentials(MAX_OWN);
  for (let at = 0; at < headers.length; at += 2)
    credentials.addHeader(headers[at] as string, headers[at + 1] as string);
  if (isInTarget) credentials.addTarget(target);
  return credentials.isEmpty ? undefined : credentials.redact();
}

/** Takes both out of texts: what is a secret everywhere, and the credentials of a request. */
export function redactAllOf({ redact: own }: Pick<Exchange, 'redact'>, redact: Redact): Redact {
  return own ? (text) => redact(own(text)) : redact;
}

/** The exchange as it is kept: without the credentials that came with its request. */
export function withoutOwnCredentials(exchange: Exchange, redact: Redact): Exchange {
  const { request, response, requestHeaders, responseHeaders } = exchange;
  return {
    ...exchange,
    redact,
    requestHeaders: requestHeaders.map(redact),
    ...(exchange.otherHeaders && { otherHeaders: exchange.otherHeaders.map(redact) }),
    responseHeaders: responseHeaders.map(redact),
    request: {
      ...request,
      target: redact(request.target),
      contentType: request.contentType && redact(request.contentType),
      body: request.body && redact(request.body),
    },
    response: { ...response, body: redact(response.body) },
  };
}

/** Its findings quote what was sent. */
export const verdictWithout = (verdict: Verdict, redact: Redact): Verdict =>
  JSON.parse(redactedJson(verdict, redact)) as Verdict;
