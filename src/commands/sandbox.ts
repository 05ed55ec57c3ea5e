/** Commands on the sandbox as a whole: `reset`, `generate` and `fork`. */
import type { Schema } from '../client/routes.ts';
import { counted } from '../client/text.ts';
import { SettingsError } from '../config.ts';
import type { CommandRun } from './connection.ts';
import { issuedLines } from './keys.ts';

export interface ResetFlags {
  readonly fixture?: string;
  readonly snapshot?: string;
  readonly journal?: boolean;
  readonly all?: boolean;
}

/** Puts the sandbox, or all of them, back to a fixture or a snapshot. */
export const reset: CommandRun<ResetFlags> = async ({ client, flags, out }) => {
  const { fixture, snapshot, journal, all } = flags;
  if (fixture !== undefined && snapshot !== undefined) {
    throw new SettingsError('--fixture and --snapshot contradict each other; give one of them');
  }
  const scope = all ? 'all' : undefined;
  const answer = await client.ask('POST /reset', { query: { scope }, body: { fixture, snapshot, journal } });
  out.show(answer, () => {
    const { sandbox, sandboxes } = answer;
    if (sandbox === undefined) return [`reset ${counted(sandboxes, 'sandbox').replace(/xs$/, 'xes')}`];
    const to = snapshot === undefined ? `fixture ${sandbox.fixture}` : `snapshot ${snapshot}`;
    return [`reset ${sandbox.id} to ${to}: ${counted(sandbox.pets.total, 'pet')}, next id ${sandbox.nextId ?? 'none'}`];
  });
  return undefined;
};

export interface GenerateFlags {
  readonly seed?: number;
  readonly status?: Schema<'PetStatus'>;
}

/** Adds made-up pets. */
export const generate: CommandRun<GenerateFlags & { readonly count: number }> = async ({ client, flags, out }) => {
  const { count, seed, status } = flags;
  const made = await client.ask('POST /pets', { body: { count, seed, status } });
  out.show(made, () => [
    `added ${counted(made.count, 'pet')}, ids ${made.firstId} to ${made.lastId}, seed ${made.seed}`,
  ]);
  return undefined;
};

export interface ForkFlags {
  readonly label?: string;
  readonly ttl?: number;
}

/** Makes a copy of the sandbox, with a key of its own. */
export const fork: CommandRun<ForkFlags> = async ({ client, flags: { label, ttl }, out }) => {
  const issued = await client.ask('POST /fork', { body: { label, ttlSeconds: ttl } });
  out.show(issued, () => issuedLines(issued));
  return undefined;
};
