/** A row of the command table. `program.ts` makes the command, its help and its checks from it. */
import type { ControlsClient } from '../client/client.ts';
import type { ControlRoute, RequestOf } from '../client/routes.ts';
import { CONNECTION, type Flag, type Flags, type FlagValue } from './flags.ts';
import type { Output } from './terminal.ts';

/** A command. */
export interface Command {
  /** `keys create`. The summary of `keys` is a row of `GROUPS`. */
  readonly name: string;
  readonly summary: string;
  /** What its help says below the summary. */
  readonly about?: string;
  readonly arguments?: readonly (readonly [form: string, help?: string])[];
  /** By the names that `run` reads. */
  readonly flags: Flags;
  /** What a line does, and the line. */
  readonly examples: readonly (readonly [about: string, line: string])[];
  /**
   * The control of the control API that the command calls. A flag with the name of one of its fields takes its type, its
   * values, and whether it is required from the specification.
   */
  readonly control?: ControlRoute;
  /** Its role on the server; none for a command that does not connect to one, or does so in its own way. */
  readonly as?: As;
  /** Flags that name files to read instead of a server: with one of them, `run` gets no client. */
  readonly offline?: readonly string[];
  /** Returns the exit code, if it is not 0. */
  run(call: Call): Promise<number | undefined>;
}

/**
 * The role of a command: `sandbox` with a key (or as the admin, who names a sandbox), `anyone` without a key, but with the
 * admin token if there is one, since a server may restrict new keys to the admin. `agent` with any credential that there is.
 */
export type As = 'sandbox' | 'anyone' | 'agent';

/** The fields of a control, in its query and its body. */
type FieldsOf<R extends ControlRoute> = FieldsIn<NonNullable<RequestOf<R>[0]>, 'query'> &
  FieldsIn<NonNullable<RequestOf<R>[0]>, 'body'>;
type FieldsIn<Request, Name extends string> = Request extends { readonly [Each in Name]?: infer Fields }
  ? NonNullable<Fields>
  : unknown;

/** The values of flags. Those of a control's fields have the types of the specification. */
export type FlagValues<F extends Flags, R extends ControlRoute = never> = {
  readonly [Name in keyof F]: F[Name] extends { readonly choices: readonly string[] }
    ? FlagValue<F[Name]>
    : [R] extends [never]
      ? FlagValue<F[Name]>
      : Name extends keyof FieldsOf<R>
        ? FieldsOf<R>[Name] | undefined
        : FlagValue<F[Name]>;
};

/** The input of a command. */
export interface LocalCall<F extends Flags, R extends ControlRoute = never> {
  readonly flags: FlagValues<F, R>;
  /** The positional arguments. */
  readonly args: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
}

type NoFlags = Readonly<Record<never, Flag>>;

/** The input of a command that connects to a server. */
export interface Call<F extends Flags = NoFlags, R extends ControlRoute = never>
  extends LocalCall<typeof CONNECTION & F, R> {
  readonly client: ControlsClient;
  /** The flags that are fields of the control. */
  readonly fields: [R] extends [never] ? unknown : Pick<FieldsOf<R>, keyof F & keyof FieldsOf<R>>;
  readonly out: Output;
  /** The certificate that the client trusts, for the clients that a command runs: its file, and its text. */
  readonly certificate: { readonly file: string | undefined; readonly ca: string } | undefined;
}

type CommandRow<F> = Omit<Command, 'flags' | 'control' | 'as' | 'run'> & { readonly flags?: F };

/** A command that needs no server, starts one, or reaches one in its own way. */
export const local = <const F extends Flags>(
  row: CommandRow<F> & { run(call: LocalCall<F>): Promise<number | undefined> },
): Command => ({ flags: {}, ...(row as CommandRow<F>) }) as Command;

/** A command that connects to a server, as the sandbox of a key unless the row has another role. */
export const connected = <const F extends Flags = NoFlags, R extends ControlRoute = never>(
  row: CommandRow<F> & {
    readonly control?: R;
    readonly as?: As;
    run(call: Call<F, R>): Promise<number | undefined>;
  },
): Command => {
  const { key, ...others } = CONNECTION;
  const flags = { ...row.flags, ...others, ...(row.as !== 'anyone' && { key }) };
  return { as: 'sandbox', ...row, flags } as unknown as Command;
};
