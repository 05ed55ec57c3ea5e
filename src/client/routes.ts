/** The types of the calls, derived from the specification's: a caller only names `'POST /keys'`. */
import type { components, paths } from '../base/generated/control-api.d.ts';

/** A schema of the control API's specification, by its name there: `Schema<'Sandbox'>`. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

type ControlPath = keyof paths & string;
type Method = 'get' | 'put' | 'post' | 'delete';

/** Method and path of every operation, as in `GET /clock`. */
export type ControlRoute = {
  [P in ControlPath]: {
    [M in Method]: paths[P] extends Readonly<Record<M, unknown>> ? `${Uppercase<M>} ${P}` : never;
  }[Method];
}[ControlPath];

type OperationAt<R extends ControlRoute> = R extends `${infer M} ${infer P extends ControlPath}`
  ? paths[P][Lowercase<M> & keyof paths[P]]
  : never;

/** Optional members may also be `undefined`. */
type Loose<T> = T extends object ? { [Name in keyof T]: undefined extends T[Name] ? T[Name] | undefined : T[Name] } : T;

type ParamsOf<O> = O extends { parameters: { path: infer P } } ? { readonly params: P } : unknown;

type QueryParameters<O> = O extends { parameters: { query?: infer Q } }
  ? [NonNullable<Q>] extends [never]
    ? unknown
    : { readonly query?: Loose<NonNullable<Q>> }
  : unknown;

type JsonOf<T> = T extends { content: { 'application/json': infer B } } ? B : never;

type BodyOf<O> = O extends { requestBody: infer B }
  ? { readonly body: Loose<JsonOf<B>> }
  : O extends { requestBody?: infer B }
    ? [NonNullable<B>] extends [never]
      ? unknown
      : { readonly body?: Loose<JsonOf<NonNullable<B>>> }
    : unknown;

type PartsOf<O> = ParamsOf<O> & QueryParameters<O> & BodyOf<O> & { readonly signal?: AbortSignal | undefined };

/** The arguments of a call; optional if none is required. */
export type RequestOf<R extends ControlRoute> =
  object extends PartsOf<OperationAt<R>> ? [request?: PartsOf<OperationAt<R>>] : [request: PartsOf<OperationAt<R>>];

type Success = 200 | 201 | 204;

/** The JSON of a successful response; `undefined` for a 204. */
export type ResponseOf<R extends ControlRoute> =
  OperationAt<R> extends { responses: infer Responses }
    ? {
        [S in keyof Responses & Success]: [JsonOf<Responses[S]>] extends [never] ? undefined : JsonOf<Responses[S]>;
      }[keyof Responses & Success]
    : never;

/** The arguments of any call. */
export interface CallArguments {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  /** JSON that is sent as it is, instead of `body`. */
  readonly file?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}
