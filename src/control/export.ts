/** `GET /_sandbox/export`: the sandbox as a file. */
import { ApiError } from '../core/errors.ts';
import type { ResponseData } from '../http/response.ts';
import { stream } from '../http/stream.ts';
import { fixtureBytes, fixtureText, MAX_FIXTURE_BYTES } from '../sandbox/fixture-text.ts';
import type { Call, ControlContext, Controls } from './control.ts';
import { type ExportRecordingOptions, exportHistory } from './export-recording.ts';

const JSON_TYPE = 'application/json';

/** Bytes of a file that is sent, and validated, as a whole. */
const MOST_AT_ONCE = 64 * 1024;
/** Pets that the validator sees of a longer file. */
const SAMPLED = 100;

export const exportControls = (options: ExportRecordingOptions): Controls => ({
  exportSandbox: (call) => {
    const { format = 'fixture', request } = call.query;
    if (request !== undefined && format !== 'har' && format !== 'curl') {
      throw new ApiError('invalid_request', `query/request: \`${format}\` contains no single request; send format=har`);
    }
    return format === 'fixture' ? exportFixture(call, options) : exportHistory(call, options);
  },
});

/** The present pets as a fixture file. */
async function exportFixture(call: Call, { store }: Pick<ControlContext, 'store'>): Promise<ResponseData | undefined> {
  const { id, record } = call.sandbox();
  const { nextId, atMost, texts } = await store.allPets(id);
  const bytes = fixtureBytes(atMost);
  if (bytes > MAX_FIXTURE_BYTES) throw tooLong(bytes);
  const about = { description: record.label === null ? 'Saved pets.' : `Saved from ${record.label}.`, nextId };
  const text = (pets: Iterable<string>): Generator<string, void> => fixtureText({ ...about, pets });
  if (bytes <= MOST_AT_ONCE) return { status: 200, body: [...text(texts())].join('') };
  const sample = [...text(firstOf(texts(), SAMPLED))].join('');
  await stream(call.req, call.res, { contentType: JSON_TYPE, pieces: text(texts()), sample });
  return undefined;
}

function* firstOf<T>(all: Iterable<T>, count: number): Generator<T, void> {
  let left = count;
  for (const each of all) {
    if (left-- <= 0) return;
    yield each;
  }
}

const tooLong = (bytes: number): ApiError =>
  new ApiError(
    'limit_reached',
    `the pets take about ${bytes} bytes, and a fixture file has at most ${MAX_FIXTURE_BYTES}; stop the server and copy its data directory instead`,
  );
