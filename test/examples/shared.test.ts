/** What runs several servers on one store: the manifests, and the profile of compose.yaml. */
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';

// biome-ignore lint/suspicious/noExplicitAny: a file, read where it is known to be of this shape
type Json = any;

/** The values of `--flag value` in a list. */
const flag = (args: readonly string[], name: string): string | undefined => args[args.indexOf(`--${name}`) + 1];

/** Sandboxes survive a restart of the engine, and none is removed when it is full. */
function expectDurable(args: readonly string[]): void {
  expect(flag(args, 'appendonly')).toBe('yes');
  expect(flag(args, 'appendfsync')).toBe('everysec');
  expect(flag(args, 'maxmemory')).toMatch(/^\d+mb$/);
  expect(flag(args, 'maxmemory-policy')).toBe('noeviction');
}

const text = await readFile('examples/shared/kubernetes.yaml', 'utf8');
const manifests: readonly Json[] = parseAllDocuments(text, { strict: true }).map((document) => document.toJS());
const workload = (kind: string): Json => manifests.find((each) => each.kind === kind);

describe('the manifests', () => {
  it('select the pods that they are about', () => {
    const labels = ['Deployment', 'StatefulSet'].map((kind) => workload(kind).spec.template.metadata.labels);
    for (const { spec } of manifests) expect(labels).toContainEqual(spec.selector.matchLabels ?? spec.selector);
  });

  it('keep what the engine holds', () => {
    expectDurable(workload('StatefulSet').spec.template.spec.containers[0].args);
  });
});

describe('the profile of compose.yaml', async () => {
  const text = await readFile('compose.yaml', 'utf8');
  const file = parse(text, { merge: true });
  const all = Object.entries<Json>(file.services);
  const shared = Object.fromEntries(all.filter(([, { profiles }]) => profiles?.includes('shared')));
  const { balancer, valkey, ...servers } = shared;

  it('leaves the sandbox alone in the default profile', () => {
    expect(all.filter(([, { profiles }]) => profiles === undefined).map(([name]) => name)).toEqual(['sandbox']);
    // Compose reads the variables of all profiles, so a required one would stop each of them.
    expect(text).not.toMatch(/\$\{\w+:?\?/);
  });

  it('has two servers that differ in their names alone', () => {
    expect(Object.keys(servers)).toEqual(['sandbox-a', 'sandbox-b']);
    expect(servers['sandbox-a']).toEqual(servers['sandbox-b']);
  });

  it('keeps what the engine holds', () => {
    expectDurable(valkey.command);
    const [name] = valkey.volumes[0].split(':');
    expect(Object.keys(file.volumes)).toContain(name);
  });

  it('has a balancer that knows both servers', async () => {
    const [source] = balancer.volumes[0].split(':');
    const config = await readFile(source, 'utf8');
    for (const name of Object.keys(servers)) {
      const [, variable] = new RegExp(`^ {2}presetenv (\\w+) ${name}:4020$`, 'm').exec(config) ?? [];
      expect(config).toMatch(new RegExp(`^ {2}server \\S+ "\\$\\{${variable}\\}" check`, 'm'));
    }
    expect(Object.keys(balancer.depends_on)).toEqual(Object.keys(servers));
  });
});
