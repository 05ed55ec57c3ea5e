/** Judges the exchanges of one operation: envelopes, parameters, bodies, and what is doubtful about them. */
import type { RecordedAnswer, RecordedRequest, Verdict, Violation, Warning } from '../exchange.ts';
import { shorten } from '../wording.ts';
import { Envelopes, type ExpectedBody } from './envelope.ts';
import { basePath, type Node, type Operation, type Parameter } from './operations.ts';
import { Pointers } from './pointers.ts';
import { checkBody, checkParameters, type Diagnostic, type Side } from './prism.ts';
import { deprecation, doubtfulParameters, unknownFields } from './warnings.ts';

/** A message can break a rule in thousands of places; a verdict names this many. */
const MAX_VIOLATIONS = 50;
const MAX_MESSAGE = 500;

export class OperationReferee {
  readonly operation: Operation;
  readonly #pointers: Pointers;
  readonly #envelopes: Envelopes;
  readonly #path: readonly Parameter[];
  readonly #query: readonly Parameter[];
  readonly #template: RegExp;
  readonly #names: readonly string[];
  readonly #usual: readonly Warning[];
  readonly #clean: Verdict;

  constructor(document: Node, operation: Operation) {
    this.operation = operation;
    this.#pointers = new Pointers(document, operation);
    this.#envelopes = new Envelopes(operation, this.#pointers);
    this.#path = operation.request?.path ?? [];
    this.#query = operation.request?.query ?? [];
    const parts = `${basePath(operation)}${operation.path}`.split(/\{([^}]+)\}/);
    this.#names = parts.filter((_, index) => index % 2 === 1);
    const literals = parts.filter((_, index) => index % 2 === 0).map((part) => part.replace(/[^\w/-]/g, '\\$&'));
    this.#template = new RegExp(`^${literals.join('([^/]*)')}$`);
    const deprecated = deprecation(operation);
    this.#usual = deprecated ? [deprecated] : [];
    this.#clean = { violations: [], warnings: this.#usual };
  }

  /** Throws where Prism does: then nothing is known of the exchange. */
  judge(request: RecordedRequest, answer: RecordedAnswer): Verdict {
    const asked = this.#envelopes.ofRequest(request);
    const said = this.#envelopes.ofAnswer(answer);
    const violations: Violation[] = [...asked.violations];
    const doubts: Warning[] = [];

    const mark = request.target.indexOf('?');
    if (this.#path.length > 0) this.#judgePath(mark < 0 ? request.target : request.target.slice(0, mark), violations);
    if (this.#query.length > 0 || mark >= 0) {
      this.#judgeQuery(mark < 0 ? '' : request.target.slice(mark + 1), violations, doubts);
    }
    if (asked.body && request.body !== undefined) {
      const body = parsed(request.body);
      this.#judgeBody('request', asked.body, body, undefined, violations);
      const { schema } = asked.body.contents[0];
      if (schema && typeof body === 'object') doubts.push(...unknownFields(body, schema));
    }
    violations.push(...said.violations);
    if (said.body) {
      const json = isJson(answer.contentType);
      const body = json ? parsed(answer.body) : answer.body;
      this.#judgeBody('answer', said.body, body, json ? undefined : answer.contentType, violations);
    }
    if (violations.length === 0 && doubts.length === 0) return this.#clean;
    return { violations: violations.slice(0, MAX_VIOLATIONS), warnings: [...this.#usual, ...doubts] };
  }

  #judgePath(path: string, violations: Violation[]): void {
    const match = this.#template.exec(path);
    const values: Record<string, string> = {};
    for (const [index, name] of this.#names.entries()) {
      const sent = match?.[index + 1];
      try {
        if (sent !== undefined) values[name] = decodeURIComponent(sent);
      } catch {
        const { pointer } = this.#pointers.parameter('path', name);
        const message = `Request path parameter ${name} is badly percent-encoded`;
        violations.push({ side: 'request', place: `path/${name}`, pointer, rule: 'percent-encoding', message });
        return;
      }
    }
    const diagnostics = checkParameters('path', values, this.#path, this.operation.__bundled__);
    for (const diagnostic of diagnostics) violations.push(this.#parameterViolation('path', diagnostic, this.#path));
  }

  #judgeQuery(text: string, violations: Violation[], doubts: Warning[]): void {
    const query = queryOf(text);
    if (text !== '') doubts.push(...doubtfulParameters(Object.keys(query), this.#query));
    if (this.#query.length === 0) return;
    for (const diagnostic of checkParameters('query', query, this.#query, this.operation.__bundled__)) {
      // Prism's only warning about a parameter: it is one of the doubts.
      if (diagnostic.code === 'deprecated') continue;
      violations.push(this.#parameterViolation('query', diagnostic, this.#query));
    }
  }

  #parameterViolation(
    kind: 'path' | 'query',
    { path = [], code, message }: Diagnostic,
    parameters: readonly Parameter[],
  ): Violation {
    const missing = path.length > 1 ? undefined : missingName(message);
    // Prism knows parameters by their names in lower case.
    const lower = missing ?? path[1] ?? '';
    const name = parameters.find((parameter) => parameter.name.toLowerCase() === lower)?.name ?? lower;
    const parameter = this.#pointers.parameter(kind, name);
    const rule = String(code ?? kind);
    return {
      side: 'request',
      place: [kind, name, ...path.slice(2)].join('/'),
      pointer:
        missing === undefined
          ? this.#pointers.rule(this.#pointers.inside(parameter, 'schema'), path.slice(2), rule)
          : this.#pointers.inside(parameter, 'required').pointer,
      rule,
      message: cut(message.replace(`parameter ${lower}`, `parameter ${name}`)),
    };
  }

  #judgeBody(
    side: Side,
    { contents, schema }: ExpectedBody,
    body: unknown,
    mediaType: string | undefined,
    violations: Violation[],
  ): void {
    const diagnostics = checkBody(side, body, contents, mediaType, this.operation.__bundled__);
    for (const { path = [], code, message } of diagnostics.slice(0, MAX_VIOLATIONS)) {
      const inside = path.slice(1).map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
      const rule = String(code ?? 'body');
      const missing = rule === 'required' ? missingName(message) : undefined;
      violations.push({
        side,
        place: cut(['body', ...inside, ...(missing === undefined ? [] : [missing])].join('/')),
        pointer: this.#pointers.rule(schema, inside, rule),
        rule,
        message: cut(message),
      });
    }
  }
}

export const isJson = (mediaType: string | undefined): boolean =>
  mediaType !== undefined && /^[^;]*[/+]json\s*(?:;|$)/i.test(mediaType);

/** Values by name, a list where a name comes more than once: as Prism's server reads them. */
function queryOf(text: string): Record<string, string | string[]> {
  const query = Object.create(null) as Record<string, string | string[]>;
  if (text === '') return query;
  for (const [name, value] of new URLSearchParams(text)) {
    const before = query[name];
    if (before === undefined) query[name] = value;
    else if (Array.isArray(before)) before.push(value);
    else query[name] = [before, value];
  }
  return query;
}

/** What is no JSON goes to Prism as the text itself, which no schema of a JSON body takes. */
function parsed(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const missingName = (message: string): string | undefined => /required property '([^']*)'/.exec(message)?.[1];

const cut = (text: string): string => shorten(text, MAX_MESSAGE);
