// What is bundled into the package, as a CycloneDX 1.6 document (SBOM): https://cyclonedx.org/docs/1.6/json/. It holds
// nothing that differs between two runs: no serial number, and the time of the commit.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { importsBetween, packagesIn } from './licenses.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The address of a package in the registry, as CycloneDX wants it: `pkg:npm/%40stoplight/types@14.1.1`. */
const purlOf = ({ name, version }) => `pkg:npm/${name.replace('@', '%40')}@${version}`;

/** Our own package: has no address while it is private, because the registry has no such package. */
const ownComponent = ({ name, version, description, license, private: isPrivate }, sha256) => ({
  type: 'application',
  name,
  version,
  'bom-ref': `${name}@${version}`,
  description,
  hashes: [{ alg: 'SHA-256', content: sha256 }],
  // npm's word for none, which is not a license.
  ...(license !== 'UNLICENSED' && { licenses: [{ license: { id: license } }] }),
  ...(!isPrivate && { purl: purlOf({ name, version }) }),
});

const bundledComponent = ({ name: fullName, version, license }) => {
  const [, group, name] = /^(?:(@[^/]+)\/)?(.+)$/.exec(fullName);
  const purl = purlOf({ name: fullName, version });
  return {
    type: 'library',
    ...(group && { group }),
    name,
    version,
    'bom-ref': purl,
    licenses: [{ license: { id: license } }],
    purl,
  };
};

/** Which component brings which. A package that no other one imports is our own code's, or copied as it is. */
const dependenciesOf = (own, refByFolder, imports) => {
  const brought = new Map([own, ...refByFolder.values()].map((ref) => [ref, new Set()]));
  const imported = new Set();
  for (const [from, to] of imports) {
    const [importer, ref] = [from === undefined ? own : refByFolder.get(from), refByFolder.get(to)];
    if (!importer || !ref || importer === ref) continue;
    brought.get(importer).add(ref);
    imported.add(ref);
  }
  for (const ref of refByFolder.values()) if (!imported.has(ref)) brought.get(own).add(ref);
  return [...brought].map(([ref, dependsOn]) => ({ ref, dependsOn: [...dependsOn].sort() }));
};

/** What was bundled has to be what package-lock.json names: otherwise nobody could make the release again. */
const rejectOthers = async (packages) => {
  const lock = JSON.parse(await readFile(path.join(root, 'package-lock.json'), 'utf8'));
  const others = packages.filter(({ folder, version }) => lock.packages[folder]?.version !== version);
  if (others.length === 0) return;
  const names = others.map(({ name, version }) => `${name} ${version}`);
  throw new Error(`not as package-lock.json has it: ${names.join(', ')}. Run npm ci first`);
};

/**
 * Describes the package as JSON.
 * @param {{ metafiles: import('esbuild').Metafile[], sha256: string, time: Date }} options what the bundler reports, the
 * checksum of the tarball, and the time of the commit
 * @throws {Error} if `node_modules` does not follow package-lock.json
 */
export const sbomOf = async ({ metafiles, sha256, time }) => {
  const manifest = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
  const packages = await packagesIn(metafiles);
  await rejectOthers(packages);
  const component = ownComponent(manifest, sha256);
  // A version that is installed twice is one component.
  const components = [...new Map(packages.map((each) => [purlOf(each), bundledComponent(each)])).values()];
  const refByFolder = new Map(packages.map((each) => [each.folder, purlOf(each)]));
  const bom = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { timestamp: time.toISOString(), component },
    components,
    dependencies: dependenciesOf(component['bom-ref'], refByFolder, importsBetween(metafiles)),
  };
  return `${JSON.stringify(bom, null, 2)}\n`;
};
