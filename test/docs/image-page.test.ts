/** examples/kubernetes.yaml and docs/operate/docker.md: what they say is what the program knows. */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { newPair } from '../../src/base/api/api-key.ts';
import { newId } from '../../src/base/ids.ts';

const text = await readFile('examples/kubernetes.yaml', 'utf8');
const manifests = parseAllDocuments(text, { strict: true }).map((document) => document.toJS());

const workload = manifests.find(({ kind }) => kind === 'StatefulSet');

test('the manifests give each server a name, a volume, a service and a route', () => {
  const { spec } = workload;
  const [container] = spec.template.spec.containers;
  expect(container.env).toContainEqual({ name: 'SANDBOX_NAME', value: 's$(POD_INDEX)' });
  const [{ name: volume }] = container.volumeMounts;
  expect(spec.volumeClaimTemplates.map(({ metadata }: { metadata: { name: string } }) => metadata.name)).toEqual([
    volume,
  ]);
  const routes: { match: string; services: { name: string }[] }[] = manifests.find(
    ({ kind }) => kind === 'IngressRoute',
  ).spec.routes;
  for (let n = 0; n < spec.replicas; n++) {
    const own = manifests.find(({ metadata }) => metadata.name === `petstore-sandbox-s${n}`);
    expect(own.spec.selector['apps.kubernetes.io/pod-index']).toBe(String(n));
    const [route] = routes.filter(({ match }) => match.includes(`_s${n}_`));
    expect(route?.services.map(({ name }) => name)).toEqual([own.metadata.name]);
    const [, path = '', header = ''] =
      /PathRegexp\(`(.*?)`\).*HeaderRegexp\(`Authorization`, `\(\?i\)(.*?)`\)/s.exec(route?.match ?? '') ?? [];
    expect(newId('sbx', `s${n}`)).toMatch(new RegExp(path.replace('/', '')));
    for (const key of Object.values(newPair(`s${n}`))) expect(`Bearer ${key}`).toMatch(new RegExp(header, 'i'));
  }
});

test('every probe asks the health endpoint, and the container may do nothing it does not need', () => {
  const [container] = workload.spec.template.spec.containers;
  for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe'])
    expect(container[probe]).toMatchObject({ httpGet: { path: '/_sandbox/health', port: 'http' } });
  expect(container.securityContext).toMatchObject({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  });
});
