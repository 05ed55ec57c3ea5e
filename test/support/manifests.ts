/** Holds Kubernetes manifests to Kubernetes' own types and checks. */
import path from 'node:path';
import type { Model } from '@kubernetes-models/base';
import { Deployment, StatefulSet } from 'kubernetes-models/apps/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { PersistentVolumeClaim, Secret, Service } from 'kubernetes-models/v1';
import ts from 'typescript';
import { parseAllDocuments } from 'yaml';

/** The kinds that are used, and where their types are. */
const KINDS = {
  Deployment: { model: Deployment, module: 'kubernetes-models/apps/v1' },
  StatefulSet: { model: StatefulSet, module: 'kubernetes-models/apps/v1' },
  PodDisruptionBudget: { model: PodDisruptionBudget, module: 'kubernetes-models/policy/v1' },
  Service: { model: Service, module: 'kubernetes-models/v1' },
  Secret: { model: Secret, module: 'kubernetes-models/v1' },
  PersistentVolumeClaim: { model: PersistentVolumeClaim, module: 'kubernetes-models/v1' },
} as const;

export interface Manifest {
  readonly kind: keyof typeof KINDS;
  readonly apiVersion: string;
}

export const manifestsIn = (text: string): Manifest[] =>
  parseAllDocuments(text, { strict: true }).map((document) => document.toJS() as Manifest);

/** What Kubernetes would not take. */
export const problems = (manifest: Manifest): string[] => [...valueProblems(manifest), ...fieldProblems(manifest)];

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
