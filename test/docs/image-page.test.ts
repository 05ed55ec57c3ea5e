/** examples/kubernetes.yaml and docs/operate/docker.md: what they say is what the program knows. */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { SETTINGS } from '../../src/settings/settings.ts';

const page = await readFile('docs/operate/docker.md', 'utf8');
const text = await readFile('examples/kubernetes.yaml', 'utf8');
const manifests = parseAllDocuments(text, { strict: true }).map((document) => document.toJS());

test('the manifests are a Deployment, a Service, a Secret and a PersistentVolumeClaim', () => {
  const kinds = manifests.map(({ kind }) => kind);
  expect(kinds.sort()).toEqual(['Deployment', 'PersistentVolumeClaim', 'Secret', 'Service']);
});

test('every probe asks the health endpoint, and the container may do nothing it does not need', () => {
  const [container] = manifests.find(({ kind }) => kind === 'Deployment').spec.template.spec.containers;
  for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe'])
    expect(container[probe]).toMatchObject({ httpGet: { path: '/_sandbox/health', port: 'http' } });
  expect(container.securityContext).toMatchObject({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  });
});

test('page and manifests name only variables that the program knows', () => {
  const known = [...Object.values(SETTINGS).map(({ variable }) => variable), 'SANDBOX_URL', 'SANDBOX_IMAGE'];
  const named = new Set((page + text).match(/\bSANDBOX_[A-Z_]*[A-Z]\b/g));
  expect(named.size).toBeGreaterThan(3);
  expect([...named].filter((variable) => !known.includes(variable))).toEqual([]);
});
