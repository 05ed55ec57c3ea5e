/** The manifest of docs/image.md: held to Kubernetes' own types and checks, and to what the program knows. */
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { SETTINGS } from '../../src/server/settings.ts';
import { type Manifest, manifestsIn, problems } from '../support/manifests.ts';
import { limit } from '../support/slow.ts';

const KINDS = ['Deployment', 'PersistentVolumeClaim', 'Secret', 'Service'];

const page = await readFile('docs/image.md', 'utf8');
const fences = [...page.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, text]) => text as string);
const manifests = fences.filter((text) => /^kind: /m.test(text)).flatMap(manifestsIn);

const deployment = manifests.find(({ kind }) => kind === 'Deployment') as Manifest & DeploymentParts;

/** What the tests below read. */
interface DeploymentParts {
  readonly spec: { readonly template: { readonly spec: { readonly containers: readonly [Record<string, unknown>] } } };
}

test('the page holds a Deployment, a Service, a Secret and a PersistentVolumeClaim', () => {
  expect(manifests.map(({ kind }) => kind).sort()).toEqual(KINDS);
});

test.each(manifests)('$kind is what Kubernetes takes', { timeout: limit(60_000) }, (manifest) => {
  expect(problems(manifest)).toEqual([]);
});

describe('the check itself', () => {
  const changed = (change: Record<string, unknown>): Manifest => {
    const copy = structuredClone(deployment) as Manifest & DeploymentParts;
    Object.assign(copy.spec.template.spec.containers[0], change);
    return copy;
  };
  test.each([
    ['a misspelt field', { livenesProbe: {} }, /livenesProbe/],
    ['a quantity that is none', { resources: { limits: { memory: '256Mb' } } }, /quantity/],
    ['a wrong type', { ports: [{ containerPort: 'many' }] }, /containerPort/],
  ])('finds %s', { timeout: limit(60_000) }, (_, change, expected) => {
    expect(problems(changed(change)).join('\n')).toMatch(expected);
  });
});

test('every probe asks the health endpoint, and the container may do nothing it does not need', () => {
  const container = deployment.spec.template.spec.containers[0];
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
