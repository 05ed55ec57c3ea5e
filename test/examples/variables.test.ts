/** Every variable that an example sets for the program is one that the program knows. */
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { SETTINGS } from '../../src/base/settings/settings.ts';

/** What commands read, and the addresses of the balancer. */
const OTHERS = ['SANDBOX_URL', 'SANDBOX_KEY', 'SANDBOX_CACERT', 'SANDBOX_IMAGE', 'SANDBOX_A', 'SANDBOX_B'];

it.each([
  'examples/github-actions.yml',
  'examples/gitlab-ci.yml',
  'examples/testcontainers.ts',
  'compose.yaml',
  'examples/kubernetes.yaml',
  'docs/operate/docker.md',
  'examples/servers/haproxy.cfg',
  'Dockerfile',
])('%s', async (file) => {
  const known = [...Object.values(SETTINGS).map(({ variable }) => variable), ...OTHERS];
  const named = (await readFile(file, 'utf8')).match(/\bSANDBOX_[A-Z_]*[A-Z]\b/g) ?? [];
  expect(named.filter((variable) => !known.includes(variable))).toEqual([]);
});
