// Lints the two OpenAPI specifications with Redocly and Spectral; any finding fails. Both stay off the network.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const specifications = ['spec/openapi.yaml', 'spec/controls.yaml'];

const linters = [
  ['redocly', 'node_modules/@redocly/cli/bin/cli.js', 'lint', '--max-problems=100'],
  [
    'spectral',
    'node_modules/@stoplight/spectral-cli/dist/index.js',
    'lint',
    '--fail-severity=hint',
    '--ruleset=.spectral.yaml',
  ],
];

const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', CI: 'true' };

for (const [name, program, ...args] of linters) {
  const run = spawnSync(process.execPath, [program, ...args, ...specifications], { cwd: root, env, encoding: 'utf8' });
  if (run.status !== 0) {
    console.error(`${name}:\n${run.stdout}${run.stderr}`);
    process.exitCode = 1;
  }
}
