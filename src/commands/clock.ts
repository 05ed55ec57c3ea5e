/** `petstore-sandbox clock`: the sandbox's own clock. */
import type { Schema } from '../client/routes.ts';
import { SettingsError } from '../server/settings.ts';
import type { CommandCall, CommandRun } from './connection.ts';

function showClock({ out }: CommandCall<object>, clock: Schema<'Clock'>): undefined {
  out.show(clock, () => [`${clock.now}${clock.frozen ? ' (frozen)' : ''}`]);
}

export const show: CommandRun<object> = async (call) => showClock(call, await call.client.request('GET /clock'));

interface ClockFlags {
  readonly freeze?: boolean;
  readonly run?: boolean;
}

/** Sets the clock to a time, freezes it, or lets it run again. */
export const set: CommandRun<ClockFlags> = async (call) => {
  const [now] = call.args;
  const { freeze = false, run = false } = call.flags;
  if (freeze && run) throw new SettingsError('--freeze and --run contradict each other; give one of them');
  if (now === undefined && !freeze && !run) {
    throw new SettingsError('set to what? Give a time like 2030-12-05T00:00:00Z, --freeze or --run');
  }
  const frozen = freeze || run ? freeze : undefined;
  return showClock(call, await call.client.request('PUT /clock', { body: { now, frozen } }));
};

/** Advances the clock by an ISO 8601 duration. */
export const advance: CommandRun<object> = async (call) =>
  showClock(call, await call.client.request('POST /clock/advance', { body: { duration: call.args[0] ?? '' } }));

/** Returns to real time. */
export const reset: CommandRun<object> = async (call) => showClock(call, await call.client.request('DELETE /clock'));
