/** Commands on the sandbox as a whole: `reset`, `generate` and `fork`. */
import type { Schema } from '../client/routes.ts';
import { counted } from '../client/text.ts';
import { SettingsError } from '../server/settings.ts';
import type { CommandRun } from './connection.ts';
import { type FixtureFlags, fixtureOf } from './fixture-flag.ts';
import { type IssuedFlags, showIssued } from './keys.ts';
import { StatusLine } from './status-line.ts';

interface ResetFlags extends FixtureFlags {
  readonly snapshot?: string;
  readonly requestLog?: boolean;
  readonly all?: boolean;
}

/** Resets the sandbox, or all of them, to a fixture or a snapshot. */
export const reset: CommandRun<ResetFlags> = async ({ client, flags, out }) => {
  const { snapshot, requestLog, all } = flags;
  const fixture = await fixtureOf(flags);
  if (fixture !== undefined && snapshot !== undefined) {
    throw new SettingsError('--fixture and --snapshot contradict each other; give one of them');
  }
  const scope = all ? 'all' : undefined;
  const response = await client.request('POST /reset', { query: { scope }, body: { fixture, snapshot, requestLog } });
  out.show(response, () => {
    const { sandbox, sandboxes } = response;
    if (sandbox === undefined) return [`reset ${counted(sandboxes, 'sandbox').replace(/xs$/, 'xes')}`];
    const to = snapshot === undefined ? `fixture ${sandbox.fixture}` : `snapshot ${snapshot}`;
    return [`reset ${sandbox.id} to ${to}: ${counted(sandbox.pets.total, 'pet')}, next id ${sandbox.nextId ?? 'none'}`];
  });
  return undefined;
};

interface GenerateFlags {
  readonly seed?: number;
  readonly status?: Schema<'PetStatus'>;
}

/** Adds generated pets. */
export const generate: CommandRun<GenerateFlags & { readonly count: number }> = async (call) => {
  const { client, flags, out, environment } = call;
  const { count, seed, status } = flags;
  const adding = client.request('POST /pets', { body: { count, seed, status } });
  const made = await new StatusLine(environment).during(`adding ${counted(count, 'pet')}`, adding);
  out.show(made, () => [
    `added ${counted(made.count, 'pet')}, ids ${made.firstId} to ${made.lastId}, seed ${made.seed}`,
  ]);
  return undefined;
};

/** Creates a copy of the sandbox, with its own key. */
export const fork: CommandRun<IssuedFlags> = async ({ client, flags, out }) => {
  const { label, ttl } = flags;
  const issued = await client.request('POST /fork', { body: { label, ttlSeconds: ttl } });
  showIssued(out, issued, flags);
  return undefined;
};
