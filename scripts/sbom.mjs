// What is bundled into the package, as a CycloneDX document (SBOM): that of npm for package-lock.json, without what the
// bundles have nothing of. It holds nothing that differs between two runs: no serial number, and the time of the commit.
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { packagesIn } from './licences.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const OF_LOCK = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];

/**
 * Describes the package as JSON.
 * @param {{ metafiles: import('esbuild').Metafile[], sha256: string, time: Date }} options what the bundler reports, the
 * checksum of the tarball, and the time of the commit
 * @throws {Error} if `node_modules` does not follow package-lock.json: nobody could make the release again
 */
export const sbomOf = async ({ metafiles, sha256, time }) => {
  const { name } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
  const {
    serialNumber: _,
    metadata,
    ...bom
  } = JSON.parse(execFileSync('npm', OF_LOCK, { cwd: root, encoding: 'utf8' }));
  const bundled = new Set((await packagesIn(metafiles)).map((each) => `${each.name}@${each.version}`));
  const components = bom.components.filter((each) => bundled.has(each['bom-ref']));
  const known = components.map((each) => each['bom-ref']);
  const others = [...bundled].filter((ref) => !known.includes(ref));
  if (others.length > 0) throw new Error(`not as package-lock.json has it: ${others.join(', ')}. Run npm ci first`);

  const own = metadata.component['bom-ref'];
  const dependencies = bom.dependencies
    .filter(({ ref }) => ref === own || bundled.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => bundled.has(each)) }));
  // What only a package that is left out brings is ours.
  const brought = new Set(dependencies.flatMap(({ dependsOn }) => dependsOn));
  dependencies.find(({ ref }) => ref === own).dependsOn.push(...known.filter((ref) => !brought.has(ref)));
  const component = { ...metadata.component, type: 'application', name, hashes: [{ alg: 'SHA-256', content: sha256 }] };
  const text = { ...bom, metadata: { timestamp: time.toISOString(), component }, components, dependencies };
  return `${JSON.stringify(text, null, 2)}\n`;
};
