/** `GET /_sandbox/metrics`: the server's counters in Prometheus format, computed on request. */
import type { Counter, Gauge, Metric, MetricValueWithName, Registry } from 'prom-client';
import { version } from '../../base/shipped.ts';
import { isActive } from '../../sandbox/sandbox.ts';
import type { Sandboxes } from '../../sandbox/sandboxes.ts';
import type { ControlContext, Controls } from './control.ts';
import { DURATION_BOUNDS, type RequestFigures } from './request-figures.ts';

export function metricsControls(context: ControlContext): Controls {
  const startedAt = context.clock.now();
  let registry: Promise<Registry> | undefined;
  return {
    getMetrics: async () => {
      registry ??= createRegistry(context, startedAt);
      const made = await registry;
      return { status: 200, contentType: made.contentType, body: await made.metrics() };
    },
  };
}

/** A private registry: several servers may run in one process. The library is loaded on first use. */
async function createRegistry(context: ControlContext, startedAt: number): Promise<Registry> {
  // A CommonJS module: bundled or not, its exports are members of the default export.
  const { Counter, Gauge, Registry } = (await import('prom-client')).default;
  const registry = new Registry();
  for (const [name, help, read, ...labelNames] of metricsOf(context, startedAt)) {
    const Metric: typeof Counter | typeof Gauge = name.endsWith('_total') ? Counter : Gauge;
    new Metric({
      name,
      help,
      labelNames,
      registers: [registry],
      collect(this: Counter | Gauge) {
        this.reset();
        const found = read();
        for (const [labels, value] of typeof found === 'number' ? [[{}, found] as const] : found)
          this.inc(labels, value);
      },
    });
  }
  // The registry accepts any object with a name and `get`: these buckets were filled as the requests came.
  const durations = { name: DURATION, get: async () => ({ ...DURATIONS, values: durationsOf(context.figures) }) };
  registry.registerMetric(durations as unknown as Metric);
  return registry;
}

type MetricSample = readonly [labels: Record<string, string | number>, value: number];

/** A metric; one whose name ends in `_total` is a counter. Its value, or its samples, are read on request. */
type MetricRow = readonly [
  name: string,
  help: string,
  read: () => number | readonly MetricSample[],
  ...labelNames: string[],
];

function metricsOf(
  { figures, sandboxes, store, clock, validator: { tallies } }: ControlContext,
  startedAt: number,
): readonly MetricRow[] {
  const operations = () => [...figures.operations];
  return [
    [
      'petstore_sandbox_requests_total',
      'Requests by specification, operation and status; 0 if nothing was sent.',
      () =>
        operations().flatMap(([operation, { specification, statuses }]) =>
          [...statuses].map(([status, count]): MetricSample => [{ specification, operation, status }, count]),
        ),
      ...['specification', 'operation', 'status'],
    ],
    [
      'petstore_sandbox_injected_faults_total',
      'Responses replaced by a fault.',
      () => operations().map(([operation, { injected }]) => [{ operation }, injected]),
      'operation',
    ],
    [
      'petstore_sandbox_violations_total',
      'Violations of a specification in traffic.',
      () =>
        operations().flatMap(([operation, { violations }]) =>
          Object.entries(violations).map(([side, count]): MetricSample => [{ operation, side }, count]),
        ),
      ...['operation', 'side'],
    ],
    ['petstore_sandbox_sandboxes', 'Sandboxes there are.', () => sandboxes.size],
    ['petstore_sandbox_keys', 'Active keys.', () => activeKeys(sandboxes, clock.now())],
    ['petstore_sandbox_store_writes_total', 'Writes to the disk.', () => store.figures.writes],
    ['petstore_sandbox_store_write_failures_total', 'Failed writes to the disk.', () => store.figures.failedWrites],
    ['petstore_sandbox_store_bytes', 'Estimated memory of all added pets.', () => store.figures.bytes],
    [
      'petstore_sandbox_store_head_bytes',
      'Estimated memory of sandboxes without their pets.',
      () => store.figures.headBytes,
    ],
    ['petstore_sandbox_validated_total', 'Exchanges that the validator validated.', () => tallies.validated],
    [
      'petstore_sandbox_validation_failures_total',
      'Exchanges on which the validator failed.',
      () => tallies.validationFailures,
    ],
    [
      'petstore_sandbox_disagreements_total',
      'Requests on which service and validator disagree.',
      () => tallies.disagreements,
    ],
    [
      'petstore_sandbox_broken_responses_total',
      'Responses of the sandbox that break its specifications.',
      () => tallies.brokenResponses,
    ],
    [
      'petstore_sandbox_info',
      'Version of the sandbox, and where it stores its data.',
      () => [[{ version, store: store.kind }, 1]],
      ...['version', 'store'],
    ],
    // The library's own process metrics would leave observers running when a server ends.
    ['process_cpu_seconds_total', 'User and system time spent.', cpuSeconds],
    ['process_resident_memory_bytes', 'Resident memory.', () => process.memoryUsage.rss()],
    ['process_start_time_seconds', 'When the server started, in seconds since 1970.', () => startedAt / 1000],
    ['nodejs_heap_size_used_bytes', 'Memory of the main heap in use.', () => process.memoryUsage().heapUsed],
    ['nodejs_version_info', 'Version of Node.js.', () => [[{ version: process.version }, 1]], 'version'],
  ];
}

const cpuSeconds = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

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
