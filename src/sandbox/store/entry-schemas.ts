/** The schemas of the entries of a journal, which `npm run generate` compiles into `generated/entry-checks.js`: no start compiles any. */
import { faultFields, idPatterns, newFault } from '../../base/generated/facts.ts';

/** The end of the year 9999, in milliseconds since 1970. */
const LAST_MOMENT = 253_402_300_799_999;

/** As the control API takes it. */
const label = { type: 'string', maxLength: 200, pattern: '^[^\\u0000-\\u001f\\u007f]*$' };
const orNull = (schema: object): object => ({ anyOf: [schema, { type: 'null' }] });
const time = { type: 'integer', minimum: 0, maximum: LAST_MOMENT };
const shownTime = { type: 'string', format: 'time-with-zone' };
const count = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER };
const idOf = (kind: keyof typeof idPatterns): object => ({ type: 'string', pattern: idPatterns[kind] });
const name = { type: 'string', pattern: '^[a-z0-9][a-z0-9_-]{0,63}$' };
const object = (properties: Record<string, object>, optional: readonly string[] = []): object => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((key) => !optional.includes(key)),
  additionalProperties: false,
});
const digits = { type: 'string', pattern: '^-?[0-9]{1,19}$' };
/** The pets of a fixture that came with a request are read before the rest is checked. */
const seed = { anyOf: [name, object({ nextId: digits })] };
const clock = orNull(
  object({
    offset: { type: 'integer', minimum: -LAST_MOMENT, maximum: LAST_MOMENT },
    frozenAt: orNull(time),
  }),
);
const counts = { triggered: count, drawn: count, seen: count, window: object({ startedAt: count, passed: count }) };
/** A stored rule has the fields of a requested one, and its state: the server can read everything that it accepts. */
const fault = object({ id: idOf('FaultId'), ...newFault.properties, ...counts }, [
  ...faultFields.filter((field) => field !== 'when'),
  'seen',
  'window',
]);
const faults = { type: 'array', maxItems: 100, items: fault };
const key = object({
  id: idOf('KeyId'),
  hash: { type: 'string', pattern: '^[0-9a-f]{64}$' },
  label: orNull(label),
  createdAt: time,
  expiresAt: orNull(time),
  revokedAt: orNull(time),
});
/** Of results, which are stored as they are shown. */
const shown = (schema: string): object => ({ $ref: `#/components/schemas/${schema}` });
const changes = {
  label: orNull(label),
  expiresAt: orNull(time),
  keys: { type: 'array', items: key },
  clock,
  faults,
  drill: orNull(
    object({
      drill: { type: 'string' },
      startedAt: shownTime,
      petName: orNull({ type: 'string' }),
      outcome: shown('DrillEnd'),
      faults: { type: 'array', maxItems: 100, items: idOf('FaultId') },
    }),
  ),
  drillResults: { type: 'array', maxItems: 100, items: shown('EndedDrill') },
};

/** Schemas that those of entries refer to. */
export const SHARED_SCHEMAS: Readonly<Record<string, object>> = { changes: object(changes, Object.keys(changes)) };

/** The kinds of entries by their first field, each with the schema of its line; `pets` is read by itself. */
export const ENTRY_SCHEMAS: Readonly<Record<string, object>> = {
  begin: object({
    begin: object({ id: idOf('SandboxId'), createdAt: time, preconfigured: { type: 'boolean' } }),
    seed,
    set: { $ref: 'changes', required: Object.keys(changes) },
  }),
  set: object({ set: { $ref: 'changes', minProperties: 1 } }),
  counts: object({
    counts: {
      type: 'object',
      propertyNames: idOf('FaultId'),
      additionalProperties: object(counts, ['seen', 'window']),
    },
  }),
  reset: object({ reset: { anyOf: [{ const: 'again' }, object({ seed }), object({ snapshot: name })] } }),
  snapshot: object({ snapshot: name, createdAt: time }),
  drop: object({ drop: name }),
};
