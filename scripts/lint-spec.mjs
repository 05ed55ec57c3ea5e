// Lints the two OpenAPI specifications with Redocly, which stays off the network; any finding fails.
process.env['REDOCLY_TELEMETRY'] = 'off';
process.env['REDOCLY_SUPPRESS_UPDATE_NOTICE'] = 'true';
process.argv.push(
  'lint',
  '--config=scripts/redocly.yaml',
  '--max-problems=100',
  'spec/openapi.yaml',
  'spec/control-api.yaml',
);
await import('@redocly/cli/bin/cli.js');
