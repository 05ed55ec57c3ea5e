/** `GET /_sandbox/metrics`: the server's counters in the text format of Prometheus, read on request. */
import { version } from '../../base/shipped.ts';
import { isActive } from '../../sandbox/sandbox.ts';
import type { ControlContext, Controls } from './control.ts';

export function metricsControls(context: ControlContext): Controls {
  const startedAt = context.clock.now();
  return {
    getMetrics: () => ({
      status: 200,
      contentType: 'text/plain; version=0.0.4; charset=utf-8',
      body: metricsOf(context, startedAt).map(textOf).join(''),
    }),
  };
}

type Sample = readonly [labels: Readonly<Record<string, string | number>>, value: number];

/** A metric, with one value or several; one whose name ends in `_total` is a counter. */
type Metric = readonly [name: string, help: string, value: number | readonly Sample[]];

function textOf([name, help, value]: Metric): string {
  const samples: readonly Sample[] = typeof value === 'number' ? [[{}, value]] : value;
  const lines = samples.map(([labels, each]) => {
    const pairs = Object.entries(labels).map(([label, text]) => `${label}=${JSON.stringify(String(text))}`);
    return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${each}`;
  });
  const type = name.endsWith('_total') ? 'counter' : 'gauge';
  return `${[`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines].join('\n')}\n`;
}

function metricsOf(context: ControlContext, startedAt: number): readonly Metric[] {
  const { figures, sandboxes, store, clock, validator } = context;
  const { writes, failedWrites, bytes, headBytes } = store.figures;
  const { validated, validationFailures, disagreements, brokenResponses } = validator.tallies;
  const operations = [...figures.operations];
  const keys = [...sandboxes.all()].flatMap(({ record }) => record.keys.filter((key) => isActive(key, clock.now())));
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed } = process.memoryUsage();
  return [
    [
      'petstore_sandbox_requests_total',
      'Requests by specification, operation and status; 0 if nothing was sent.',
      operations.flatMap(([operation, { specification, statuses }]) =>
        [...statuses].map(([status, count]): Sample => [{ specification, operation, status }, count]),
      ),
    ],
    [
      'petstore_sandbox_request_duration_seconds_total',
      'Time from the head of a request until its response was sent.',
      operations.map(([operation, { totalMs }]) => [{ operation }, totalMs / 1000]),
    ],
    [
      'petstore_sandbox_injected_faults_total',
      'Responses replaced by a fault.',
      operations.map(([operation, { injected }]) => [{ operation }, injected]),
    ],
    [
      'petstore_sandbox_violations_total',
      'Violations of a specification in traffic.',
      operations.flatMap(([operation, { violations }]) =>
        Object.entries(violations).map(([side, count]): Sample => [{ operation, side }, count]),
      ),
    ],
    ['petstore_sandbox_sandboxes', 'Sandboxes there are.', sandboxes.size],
    ['petstore_sandbox_keys', 'Active keys.', keys.length],
    ['petstore_sandbox_store_writes_total', 'Writes to the disk.', writes],
    ['petstore_sandbox_store_write_failures_total', 'Failed writes to the disk.', failedWrites],
    ['petstore_sandbox_store_bytes', 'Estimated memory of all added pets.', bytes],
    ['petstore_sandbox_store_head_bytes', 'Estimated memory of sandboxes without their pets.', headBytes],
    ['petstore_sandbox_validated_total', 'Exchanges that the validator validated.', validated],
    ['petstore_sandbox_validation_failures_total', 'Exchanges on which the validator failed.', validationFailures],
    ['petstore_sandbox_disagreements_total', 'Requests on which service and validator disagree.', disagreements],
    [
      'petstore_sandbox_broken_responses_total',
      'Responses of the sandbox that break its specifications.',
      brokenResponses,
    ],
    [
      'petstore_sandbox_info',
      'Version of the sandbox, and where it stores its data.',
      [[{ version, store: store.kind }, 1]],
    ],
    ['process_cpu_seconds_total', 'User and system time spent.', (user + system) / 1e6],
    ['process_resident_memory_bytes', 'Resident memory.', rss],
    ['process_start_time_seconds', 'When the server started, in seconds since 1970.', startedAt / 1000],
    ['nodejs_heap_size_used_bytes', 'Memory of the main heap in use.', heapUsed],
    ['nodejs_version_info', 'Version of Node.js.', [[{ version: process.version }, 1]]],
  ];
}
