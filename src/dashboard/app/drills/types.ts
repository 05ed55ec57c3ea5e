/** The shapes of the controls for drills. */
import type { Schema } from '../../../client/routes.ts';

export type Drill = Schema<'Drill'>;
export type DrillResult = Schema<'DrillResult'>;
