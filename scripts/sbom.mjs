// What is bundled into the package, as a CycloneDX document (SBOM). It holds nothing that differs between two runs: no
// serial number, and the time of the commit.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as CycloneDX from '@cyclonedx/cyclonedx-library';
import { importsBetween, packagesIn } from './licences.mjs';

const { Enums, Models, Serialize, Spec, Validation } = CycloneDX;
const root = fileURLToPath(new URL('..', import.meta.url));

/** The address of a package in the registry, as CycloneDX wants it: `pkg:npm/%40stoplight/types@14.1.1`. */
const purlOf = ({ name, version }) => `pkg:npm/${name.replace('@', '%40')}@${version}`;

/** Our own package: has no address while it is private, because the registry has no such package. */
const ownComponent = ({ name, version, description, license, private: isPrivate }, sha256) => {
  const purl = isPrivate ? undefined : purlOf({ name, version });
  const component = new Models.Component(Enums.ComponentType.Application, name, {
    bomRef: `${name}@${version}`,
    version,
    description,
    hashes: new Models.HashDictionary([[Enums.HashAlgorithm['SHA-256'], sha256]]),
    ...(purl && { purl }),
  });
  // npm's word for none, which is not a licence.
  if (license !== 'UNLICENSED') component.licenses.add(new Models.SpdxLicense(license));
  return component;
};

const bundledComponent = (bundled) => {
  const [, group, name] = /^(?:(@[^/]+)\/)?(.+)$/.exec(bundled.name);
  const purl = purlOf(bundled);
  return new Models.Component(Enums.ComponentType.Library, name, {
    bomRef: purl,
    purl,
    group,
    version: bundled.version,
    licenses: new Models.LicenseRepository([new Models.SpdxLicense(bundled.licence)]),
  });
};

/** A package that no other one imports is our own code's, or copied as it is. */
const addDependencies = (own, byFolder, imports) => {
  const imported = new Set();
  for (const [from, to] of imports) {
    const [importer, component] = [from === undefined ? own : byFolder.get(from), byFolder.get(to)];
    if (!importer || !component || importer === component) continue;
    importer.dependencies.add(component.bomRef);
    imported.add(component);
  }
  for (const component of byFolder.values()) if (!imported.has(component)) own.dependencies.add(component.bomRef);
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
 * Describes the package as JSON, and checks the result against the published schema.
 * @param {{ metafiles: import('esbuild').Metafile[], sha256: string, time: Date }} options what the bundler reports, the
 * checksum of the tarball, and the time of the commit
 * @throws {Error} if the document does not follow the schema, or `node_modules` does not follow package-lock.json
 */
export const sbomOf = async ({ metafiles, sha256, time }) => {
  const manifest = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
  const packages = await packagesIn(metafiles);
  await rejectOthers(packages);
  const own = ownComponent(manifest, sha256);
  const byPurl = new Map(packages.map((each) => [purlOf(each), bundledComponent(each)]));
  const byFolder = new Map(packages.map((each) => [each.folder, byPurl.get(purlOf(each))]));
  addDependencies(own, byFolder, importsBetween(metafiles));
  const bom = new Models.Bom({
    metadata: new Models.Metadata({ timestamp: time, component: own }),
    components: new Models.ComponentRepository(byPurl.values()),
  });
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6));
  const text = serializer.serialize(bom, { sortLists: true, space: 2 });
  // The validator needs ajv-formats and ajv-formats-draft2019 beside it: they are its optional peers.
  const errors = await new Validation.JsonStrictValidator(Spec.Spec1dot6.version).validate(text);
  if (errors !== null) throw new Error(`the SBOM does not follow CycloneDX: ${JSON.stringify(errors)}`);
  return `${text}\n`;
};
