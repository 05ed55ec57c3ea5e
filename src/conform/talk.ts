/** One check's part of the conversation with a server: what was asked, and where the answers differ from what is right. */
import { ERROR_STATUS } from '../errors.ts';
import { isInt64, type JsonObject, type JsonValue, parseJson } from '../int64.ts';
import type { Ask, Level, Rule } from './cases/case.ts';
import { type Breach, type Description, operationOf } from './description.ts';
import { type Answer, NoAnswer, type Probe } from './probe.ts';

/** One difference. */
export interface Finding {
  /** `document`: the interface's description says otherwise. `sandbox`: only the sandbox does. */
  readonly from: 'document' | 'sandbox';
  readonly rule: Rule;
  /** The request, in a line or a few. */
  readonly sent: string;
  readonly expected: string;
  readonly got: string;
}

/** A pet that the server made for us, or may have made. */
export interface CreatedPet {
  /** `null` where no answer came, or it does not say. */
  readonly id: bigint | null;
  readonly sent: string;
}

/** What a check wants of an answer. */
export interface Want {
  readonly status: number;
  /** Another status that is as good. */
  readonly or?: number;
  readonly level: Level;
  readonly rule: Rule;
}

/** An answer as it was wanted, that breaks nothing of the description. */
export interface GoodAnswer extends Answer {
  /** `null` where there is no body, as with HEAD. */
  readonly value: JsonValue;
  readonly sent: string;
}

/** A check finds nothing to look at; `message` says what is missing. */
export class Skipped extends Error {}

export interface TalkOptions {
  readonly probe: Probe;
  readonly description: Description;
  /** Every pet that was made is noted here at once. */
  readonly created: CreatedPet[];
}

const MAX_SHOWN = 300;

export class Talk {
  readonly findings: Finding[] = [];
  readonly #options: TalkOptions;

  constructor(options: TalkOptions) {
    this.#options = options;
  }

  /**
   * Asks, and holds the answer against the description and against what is wanted.
   *
   * @returns the answer, where both are content
   * @throws {RateLimited | Stopped}
   */
  async ask(ask: Ask, want: Want): Promise<GoodAnswer | undefined> {
    const { method = 'GET', path } = ask;
    const sent = inWords(ask, (text) => this.#options.probe.withoutKey(text));
    const before = this.findings.length;
    const expected = wanted(want.status);
    const answer = await this.#answerTo(ask, sent, expected);
    if (answer === undefined) return undefined;
    const { breaches, value } =
      method === 'HEAD'
        ? { breaches: [], value: null }
        : this.#options.description.judge(operationOf(method, path), answer);
    if (method === 'POST') this.#noteCreated(answer, sent);
    if (answer.status !== want.status && answer.status !== want.or) this.differs({ ...want, sent, expected, answer });
    for (const breach of breaches) this.differs({ ...breach, level: 'contract', sent, answer });
    for (const breach of beyondDescription(answer, value)) this.differs({ ...breach, level: 'sandbox', sent, answer });
    if (this.findings.length > before) return undefined;
    return { ...answer, value: value ?? null, sent };
  }

  /** Notes a difference. */
  differs({ level, rule, sent, expected, why, answer }: Breach & { level: Level; sent: string; answer: Answer }): void {
    const from = level === 'contract' ? 'document' : 'sandbox';
    const got = `${why === undefined ? '' : `${why}: `}${shownAnswer(answer)}`;
    this.findings.push({ from, rule, sent, expected, got });
  }

  async #answerTo(ask: Ask, sent: string, expected: string): Promise<Answer | undefined> {
    try {
      return await this.#options.probe.ask(ask);
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      if (ask.method === 'POST') this.#options.created.push({ id: null, sent });
      this.findings.push({ from: 'document', rule: 'answer', sent, expected, got: `no answer: ${error.message}` });
      return undefined;
    }
  }

  #noteCreated({ status, text }: Answer, sent: string): void {
    if (status >= 200 && status < 300) this.#options.created.push({ id: idIn(text), sent });
  }
}

/** What the sandbox adds to an answer of its own accord. */
function beyondDescription({ status, headers }: Answer, value: JsonValue | undefined): Breach[] {
  const breaches: Breach[] = [];
  if (status === 401 && !/^Bearer\b/i.test(headers['www-authenticate'] ?? '')) {
    const said = headers['www-authenticate'] ?? 'none';
    breaches.push({ rule: 'www-authenticate', expected: 'WWW-Authenticate: Bearer', why: `WWW-Authenticate: ${said}` });
  }
  if (status === 405 && headers.allow === undefined) {
    breaches.push({ rule: 'allow', expected: 'Allow, with the methods that there are', why: 'no Allow' });
  }
  const code = status >= 400 ? (value as JsonObject | null | undefined)?.['code'] : undefined;
  const own = Object.entries(ERROR_STATUS).filter(([, each]) => each === status);
  if (typeof code === 'string' && own.length > 0 && !own.some(([name]) => name === code)) {
    const names = own.map(([name]) => name).join(' or ');
    breaches.push({ rule: 'error-code', expected: `the code ${names}` });
  }
  return breaches;
}

function idIn(text: string): bigint | null {
  try {
    const id = (parseJson(text) as JsonObject | null)?.['id'];
    return typeof id === 'bigint' && isInt64(id) ? id : null;
  } catch {
    return null;
  }
}

const wanted = (status: number): string => `${status}${status >= 400 ? ' with an Error body' : ''}`;

/** A request in a line; the key is not shown. */
function inWords({ method = 'GET', path, headers = {}, body }: Ask, withoutKey: (text: string) => string): string {
  const named = Object.entries(headers).flatMap(([name, values]) =>
    [values].flat().map((value) => `${name}: ${shorten(withoutKey(value), 60)}`),
  );
  const chunks = (Array.isArray(body) ? body : body === undefined ? [] : [body]).map((chunk) =>
    Buffer.isBuffer(chunk) ? chunk.toString('latin1') : chunk,
  );
  return [`${method} /v1${shorten(path)}`, ...named, ...(chunks.length > 0 ? [shorten(chunks.join(''))] : [])].join(
    ', ',
  );
}

function shownAnswer({ status, headers, text }: Answer): string {
  return [String(status), headers['content-type'], shorten(text)].filter(Boolean).join(' ');
}

const shorten = (text: string, limit = MAX_SHOWN): string => (text.length > limit ? `${text.slice(0, limit)}…` : text);
