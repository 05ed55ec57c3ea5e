/** The manifests of docs/operate/docker.md: what they say is what the program knows. */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { SETTINGS } from '../../src/server/settings.ts';

const KINDS = ['Deployment', 'PersistentVolumeClaim', 'Secret', 'Service'];

const page = await readFile('docs/operate/docker.md', 'utf8');
const fences = [...page.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, text]) => text as string);
/** What the tests below read. */
interface Manifest {
  readonly kind: string;
  readonly spec: { readonly template: { readonly spec: { readonly containers: readonly [Record<string, unknown>] } } };
}

const manifests = fences
  .filter((text) => /^kind: /m.test(text))
  .flatMap((text) => parseAllDocuments(text, { strict: true }).map((document) => document.toJS() as Manifest));

test('the page holds a Deployment, a Service, a Secret and a PersistentVolumeClaim', () => {
  expect(manifests.map(({ kind }) => kind).sort()).toEqual(KINDS);
});

test('every probe asks the health endpoint, and the container may do nothing it does not need', () => {
  const container = manifests.find(({ kind }) => kind === 'Deployment')?.spec.template.spec.containers[0] ?? {};
  for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe'])
    expect(container[probe]).toMatchObject({ httpGet: { path: '/_sandbox/health', port: 'http' } });
  expect(container['securityContext']).toMatchObject({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  });
});

test('the page names only variables that the program knows', () => {
  const known = [...Object.values(SETTINGS).map(({ variable }) => variable), 'SANDBOX_URL', 'SANDBOX_IMAGE'];
  const named = new Set(page.match(/\bSANDBOX_[A-Z_]*[A-Z]\b/g));
  expect(named.size).toBeGreaterThan(3);
  expect([...named].filter((variable) => !known.includes(variable))).toEqual([]);
});
