/** The manifest of docs/image.md: held to Kubernetes' own types and checks, and to what the program knows. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Model } from '@kubernetes-models/base';
import { Deployment } from 'kubernetes-models/apps/v1';
import { PersistentVolumeClaim, Secret, Service } from 'kubernetes-models/v1';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { SETTINGS } from '../../src/settings.ts';
import { limit } from '../support/slow.ts';

/** The kinds of the manifest, and where their types are. */
const KINDS = {
  Deployment: { model: Deployment, module: 'kubernetes-models/apps/v1' },
  Service: { model: Service, module: 'kubernetes-models/v1' },
  Secret: { model: Secret, module: 'kubernetes-models/v1' },
  PersistentVolumeClaim: { model: PersistentVolumeClaim, module: 'kubernetes-models/v1' },
} as const;

interface Manifest {
  readonly kind: keyof typeof KINDS;
  readonly apiVersion: string;
}

const page = await readFile('docs/image.md', 'utf8');
const fences = [...page.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, text]) => text as string);
const manifests = fences
  .filter((text) => /^kind: /m.test(text))
  .flatMap((text) =>
    parseAllDocuments(text, { strict: true }).map((specification) => specification.toJS() as Manifest),
  );

/** Values: patterns, quantities, required fields. It accepts unknown fields. */
function valueProblems({ kind, ...rest }: Manifest): string[] {
  try {
    const model: Model<object> = new KINDS[kind].model(rest as object);
    model.validate();
    return [];
  } catch (error) {
    return [(error as Error).message];
  }
}

/** Unknown fields, as TypeScript finds them in a literal: a misspelt probe would be silently left out. */
function fieldProblems(manifest: Manifest): string[] {
  const file = path.resolve('test/docs/manifest-under-test.ts');
  const { module } = KINDS[manifest.kind];
  const source = `import type { I${manifest.kind} } from '${module}';\nexport const manifest: I${manifest.kind} = ${JSON.stringify(manifest, null, 1)};\n`;
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    module: ts.ModuleKind.NodeNext,
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (name) => name === file || fileExists(name);
  host.getSourceFile = (name, ...rest) =>
    name === file ? ts.createSourceFile(name, source, ts.ScriptTarget.Latest) : getSourceFile(name, ...rest);
  const program = ts.createProgram([file], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}

const problems = (manifest: Manifest): string[] => [...valueProblems(manifest), ...fieldProblems(manifest)];

const deployment = manifests.find(({ kind }) => kind === 'Deployment') as Manifest & DeploymentParts;

/** What the tests below read. */
interface DeploymentParts {
  readonly spec: { readonly template: { readonly spec: { readonly containers: readonly [Record<string, unknown>] } } };
}

test('the page holds a Deployment, a Service, a Secret and a PersistentVolumeClaim', () => {
  expect(manifests.map(({ kind }) => kind).sort()).toEqual(Object.keys(KINDS).sort());
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
