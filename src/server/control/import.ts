/** `POST /_sandbox/import`: a recording becomes a new sandbox. */

import { ApiError } from '../../base/api/errors.ts';
import type { RunSlice } from '../../base/lane.ts';
import { MAX_RECORDING_BYTES } from '../../base/limits.ts';
import type { State } from '../../sandbox/store/state.ts';
import { openRecording } from '../../traffic/files/open.ts';
import { readRecording } from '../../traffic/files/read.ts';
import { type RecordingChecks, RecordingError, recordingChecks } from '../../traffic/files/recording.ts';
import { rejectUnknownDrill } from '../../verdict/drills/catalog.ts';
import { type Control, type ControlCall, type ControlContext, type Controls, ownBody } from './control.ts';
import { issuedKey, rejectUnlessMayIssue } from './keys.ts';
import { rejectSecret } from './parse.ts';

export function importControls(context: ControlContext): Controls {
  const { memory, redact } = context;
  // There is memory for a body's bytes, its text and what was read of it.
  const maxBytes = Math.min(memory.exchange / 2, MAX_RECORDING_BYTES);
  /** Compiled with the first recording, and kept. */
  let checks: Promise<RecordingChecks> | undefined;
  const importRecording: Control = async (call) => {
    rejectUnlessMayIssue(call, context);
    checks ??= recordingChecks();
    const found = await readFrom(call, { ...context, maxBytes }, await checks);
    rejectUnknownDrill(found.state);
    for (const [place, text] of namesInState(found.state)) rejectSecret(call.req, `body/${place}`, text, redact);
    return issuedKey(call, await openRecording(found, context), context);
  };
  return { importRecording };
}

/** What is stored and shown under a name: the controls that make these reject a secret in them too. */
function* namesInState({ record, snapshots, seed }: State): Generator<[place: string, text: string | undefined]> {
  yield ['label', record.label ?? undefined];
  for (const { label } of record.keys) yield ['label', label ?? undefined];
  for (const name of snapshots.keys()) yield ['snapshot', name];
  for (const point of [seed, ...Array.from(snapshots.values(), (each) => each.seed)]) yield ['fixture', point.name];
  const rules = [record.faults, ...Array.from(snapshots.values(), ({ faults }) => faults)];
  for (const { query } of rules.flat()) yield ['faults/query', query];
}

/** The body is parsed here: it may be far longer than that of any other control. */
async function readFrom(
  call: ControlCall,
  { capacity, maxBytes }: Pick<ControlContext, 'capacity'> & { readonly maxBytes: number },
  checks: RecordingChecks,
) {
  const bytes = await ownBody(call.req, { maxBytes, mediaTypes: ['application/jsonl'] }, 'a recording');
  try {
    // The validator is not shown it, but a file may be large: its sandbox waits for room, and then for each slice.
    await capacity.inTurnWithBody(call.req.exchange, bytes.length, () => undefined);
    const turn: RunSlice = (slice, _, goesOn) => call.inTurn(slice, bytes.length, goesOn);
    return await readRecording(bytes, checks, turn);
  } catch (error) {
    if (!(error instanceof RecordingError)) throw error;
    // Not a rejection that the validator could agree with: it is not shown a body of this length.
    throw new ApiError('invalid_request', `body: ${error.message}`);
  }
}
