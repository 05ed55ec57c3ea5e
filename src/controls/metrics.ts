/** `GET /_sandbox/metrics`: what the server counts, as Prometheus reads it. Nothing is computed before it is asked for. */
import type { Counter, Gauge, Metric, MetricValueWithName, Registry } from 'prom-client';
import type { Clock } from '../clock.ts';
import type { Tallies } from '../judge/judge.ts';
import { isActive } from '../sandbox/sandbox.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';
import type { Store } from '../store/store.ts';
import type { Controls } from './control.ts';
import { DURATION_BOUNDS, type RequestFigures } from './request-figures.ts';

export interface MetricsOptions {
  readonly version: string;
  readonly figures: RequestFigures;
  readonly sandboxes: Sandboxes;
  readonly store: Store;
  readonly judge: () => Readonly<Tallies>;
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

/** A registry of the server's own: several servers may live in one process. The library is loaded when first needed. */
async function createRegistry(options: MetricsOptions, startedAt: number): Promise<Registry> {
  // A CommonJS module: bundled or not, its exports are members of the default one.
  const { Counter, Gauge, Registry } = (await import('prom-client')).default;
  const { figures, sandboxes, store, judge, clock, version } = options;
  const registry = new Registry();
  const operations = () => [...figures.operations];

  const made =
    (Metric: typeof Counter | typeof Gauge) =>
    (name: string, help: string, labelNames: readonly string[], read: () => readonly Sample[]): void => {
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
  const counter = made(Counter);
  const gauge = made(Gauge);
  const one = (value: number): readonly Sample[] => [[{}, value]];

  counter(
    'petstore_sandbox_requests_total',
    'Requests by document, operation and status; 0 where nothing was sent.',
    ['document', 'operation', 'status'],
    () =>
      operations().flatMap(([operation, { document, statuses }]) =>
        [...statuses].map(([status, count]): Sample => [{ document, operation, status }, count]),
      ),
  );
  counter('petstore_sandbox_injected_faults_total', 'Answers that a fault stood in for.', ['operation'], () =>
    operations().map(([operation, { injected }]) => [{ operation }, injected]),
  );
  counter('petstore_sandbox_violations_total', 'Where traffic breaks a document.', ['operation', 'side'], () =>
    operations().flatMap(([operation, { violations }]) =>
      Object.entries(violations).map(([side, count]): Sample => [{ operation, side }, count]),
    ),
  );
  gauge('petstore_sandbox_sandboxes', 'Sandboxes there are.', [], () => one(sandboxes.size));
  gauge('petstore_sandbox_keys', 'Keys that open a sandbox now.', [], () => one(activeKeys(sandboxes, clock.now())));
  counter('petstore_sandbox_store_writes_total', 'Writes to the disk.', [], () => one(store.figures.writes));
  counter('petstore_sandbox_store_write_failures_total', 'Writes that the disk refused.', [], () =>
    one(store.figures.failedWrites),
  );
  gauge('petstore_sandbox_store_bytes', 'Memory that all added pets take, by estimate.', [], () =>
    one(store.figures.bytes),
  );
  gauge('petstore_sandbox_store_head_bytes', 'Memory that sandboxes take beside their pets, by estimate.', [], () =>
    one(store.figures.headBytes),
  );
  counter('petstore_sandbox_judged_total', 'Exchanges that the referee judged.', [], () => one(judge().judged));
  counter('petstore_sandbox_unjudged_total', 'Exchanges that the referee failed on.', [], () => one(judge().unjudged));
  counter('petstore_sandbox_disagreements_total', 'Requests on which service and referee disagree.', [], () =>
    one(judge().disagreements),
  );
  counter('petstore_sandbox_broken_answers_total', 'Answers of the sandbox that break its documents.', [], () =>
    one(judge().brokenAnswers),
  );
  gauge('petstore_sandbox_info', 'Version of the sandbox, and where it keeps its data.', ['version', 'store'], () => [
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

  // To the registry a metric is whatever has a name and `get`: these buckets were filled as the requests came.
  const durations = { name: DURATION, get: async () => ({ ...DURATIONS, values: durationsOf(figures) }) };
  registry.registerMetric(durations as unknown as Metric);
  return registry;
}

const DURATION = 'petstore_sandbox_request_duration_seconds';
const DURATIONS = {
  name: DURATION,
  help: 'Time from the head of a request until its answer was handed over.',
  type: 'histogram',
};

/** Buckets hold what is at or below their bound (`le`), each all of those before it. */
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
