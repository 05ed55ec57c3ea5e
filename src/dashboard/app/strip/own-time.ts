/** Whether a sandbox has a time of its own. */
import type { Schema } from '../../../client/routes.ts';

/** A sandbox's time is its own from this difference on: the viewer's machine may be wrong by some seconds. */
const OWN_TIME_MS = 60_000;

export const isOwnTime = ({ now, frozen }: Schema<'Clock'>): boolean =>
  frozen || Math.abs(Date.parse(now) - Date.now()) > OWN_TIME_MS;
