/** `GET /_sandbox/metrics`: the server's counters in Prometheus format, computed on request. */
import type { Counter, Gauge, Metric, MetricValueWithName, Registry } from 'prom-client';
import type { Clock } from '../core/clock.ts';
import type { ValkeyFigures } from '../sandbox/backend.ts';
import { isActive } from '../sandbox/sandbox.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';
import type { Store } from '../store/store.ts';
import type { ValidatorTallies } from '../validator/validator.ts';
import type { Controls } from './control.ts';
import { DURATION_BOUNDS, type RequestFigures } from './request-figures.ts';

interface MetricsOptions {
  readonly version: string;
  readonly figures: RequestFigures;
  readonly sandboxes: Sandboxes;
  readonly store: Store;
  /** Of the connection to Valkey. */
  readonly valkey: ValkeyFigures | undefined;
  readonly validator: () => Readonly<ValidatorTallies>;
  readonly clock: Clock;
}

/** One value with its labels. */
type Sample = readonly [labels: Record<string, string | number>, value: number];

export function metricsControls(options: MetricsOptions): Controls {
  const startedAt = options.clock.now();
  let registry: Promise<Registry> | undefined;
  return {
    getMetrics: async () => {
      registry ??= createRegistry(options, startedAt);
      const made = await registry;
      return { status: 200, contentType: made.contentType, body: await made.metrics() };
    },
  };
}

/** A private registry: several servers may run in one process. The library is loaded on first use. */
async function createRegistry(options: MetricsOptions, startedAt: number): Promise<Registry> {
  // A CommonJS module: bundled or not, its exports are members of the default export.
  const { Counter, Gauge, Registry } = (await import('prom-client')).default;
  const registry = new Registry();
  const added =
    (Metric: typeof Counter | typeof Gauge): AddMetric =>
    (name, help, labelNames, read) => {
      new Metric({
        name,
        help,
        labelNames,
        registers: [registry],
        collect(this: Counter | Gauge) {
          this.reset();
          for (const [labels, value] of read()) this.inc(labels, value);
        },
      });
    };
  const add: Adders = { counter: added(Counter), gauge: added(Gauge) };
  addRequests(add, options);
  addState(add, options);
  addValkey(add, options);
  addValidator(add, options);
  addProcess(add, options, startedAt);

  // The registry accepts any object with a name and `get`: these buckets were filled as the requests came.
  const durations = { name: DURATION, get: async () => ({ ...DURATIONS, values: durationsOf(options.figures) }) };
  registry.registerMetric(durations as unknown as Metric);
  return registry;
}

/** Adds a metric whose samples are read when the metrics are requested. */
type AddMetric = (name: string, help: string, labelNames: readonly string[], read: () => readonly Sample[]) => void;

interface Adders {
  readonly counter: AddMetric;
  readonly gauge: AddMetric;
}

const one = (value: number): readonly Sample[] => [[{}, value]];

function addRequests({ counter }: Adders, { figures }: MetricsOptions): void {
  const operations = () => [...figures.operations];
  counter(
    'petstore_sandbox_requests_total',
    'Requests by specification, operation and status; 0 if nothing was sent.',
    ['specification', 'operation', 'status'],
    () =>
      operations().flatMap(([operation, { specification, statuses }]) =>
        [...statuses].map(([status, count]): Sample => [{ specification, operation, status }, count]),
      ),
  );
  counter('petstore_sandbox_injected_faults_total', 'Responses replaced by a fault.', ['operation'], () =>
    operations().map(([operation, { injected }]) => [{ operation }, injected]),
  );
  counter('petstore_sandbox_violations_total', 'Violations of a specification in traffic.', ['operation', 'side'], () =>
    operations().flatMap(([operation, { violations }]) =>
      Object.entries(violations).map(([side, count]): Sample => [{ operation, side }, count]),
    ),
  );
}

function addState({ counter, gauge }: Adders, { sandboxes, store, clock }: MetricsOptions): void {
  gauge('petstore_sandbox_sandboxes', 'Sandboxes there are.', [], () => one(sandboxes.size));
  gauge('petstore_sandbox_keys', 'Active keys.', [], () => one(activeKeys(sandboxes, clock.now())));
  counter('petstore_sandbox_store_writes_total', 'Writes to the store: to the disk, or calls of Valkey.', [], () =>
    one(store.figures.writes),
  );
  counter('petstore_sandbox_store_write_failures_total', 'Failed writes to the store.', [], () =>
    one(store.figures.failedWrites),
  );
  gauge('petstore_sandbox_store_bytes', 'Estimated memory of all added pets.', [], () => one(store.figures.bytes));
  gauge('petstore_sandbox_store_head_bytes', 'Estimated memory of sandboxes without their pets.', [], () =>
    one(store.figures.headBytes),
  );
}

function addValkey({ counter }: Adders, { valkey }: MetricsOptions): void {
  if (!valkey) return;
  counter('petstore_sandbox_valkey_calls_total', 'Commands sent to Valkey.', [], () => one(valkey.calls));
  counter('petstore_sandbox_valkey_failures_total', 'Commands that Valkey did not confirm.', [], () =>
    one(valkey.failures),
  );
  counter('petstore_sandbox_valkey_reconnects_total', 'Lost connections to Valkey.', [], () => one(valkey.reconnects));
}

function addValidator({ counter }: Adders, { validator }: MetricsOptions): void {
  counter('petstore_sandbox_validated_total', 'Exchanges that the validator validated.', [], () =>
    one(validator().validated),
  );
  counter('petstore_sandbox_validation_failures_total', 'Exchanges on which the validator failed.', [], () =>
    one(validator().validationFailures),
  );
  counter('petstore_sandbox_disagreements_total', 'Requests on which service and validator disagree.', [], () =>
    one(validator().disagreements),
  );
  counter(
    'petstore_sandbox_broken_responses_total',
    'Responses of the sandbox that break its specifications.',
    [],
    () => one(validator().brokenResponses),
  );
}

function addProcess({ counter, gauge }: Adders, { version, store }: MetricsOptions, startedAt: number): void {
  gauge('petstore_sandbox_info', 'Version of the sandbox, and where it stores its data.', ['version', 'store'], () => [
    [{ version, store: store.kind }, 1],
  ]);
  // The library's own process metrics would leave observers running when a server ends.
  counter('process_cpu_seconds_total', 'User and system time spent.', [], () => {
    const { user, system } = process.cpuUsage();
    return one((user + system) / 1e6);
  });
  gauge('process_resident_memory_bytes', 'Resident memory.', [], () => one(process.memoryUsage.rss()));
  gauge('process_start_time_seconds', 'When the server started, in seconds since 1970.', [], () =>
    one(startedAt / 1000),
  );
  gauge('nodejs_heap_size_used_bytes', 'Memory of the main heap in use.', [], () =>
    one(process.memoryUsage().heapUsed),
  );
  gauge('nodejs_version_info', 'Version of Node.js.', ['version'], () => [[{ version: process.version }, 1]]);
}

const DURATION = 'petstore_sandbox_request_duration_seconds';
const DURATIONS = {
  name: DURATION,
  help: 'Time from the head of a request until its response was sent.',
  type: 'histogram',
};

/** Buckets are cumulative: each counts the values up to its bound (`le`). */
function durationsOf({ operations }: RequestFigures): MetricValueWithName<'operation' | 'le'>[] {
  return [...operations].flatMap(([operation, { durations, totalMs }]) => {
    let sum = 0;
    const buckets = durations.map((count, index) => {
      sum += count;
      const bound = DURATION_BOUNDS[index];
      const le = bound === undefined ? '+Inf' : bound / 1000;
      return { metricName: `${DURATION}_bucket`, labels: { operation, le }, value: sum };
    });
    return [
      ...buckets,
      { metricName: `${DURATION}_sum`, labels: { operation }, value: totalMs / 1000 },
      { metricName: `${DURATION}_count`, labels: { operation }, value: sum },
    ];
  });
}

function activeKeys(sandboxes: Sandboxes, now: number): number {
  let count = 0;
  for (const { record } of sandboxes.all()) for (const key of record.keys) if (isActive(key, now)) count++;
  return count;
}
