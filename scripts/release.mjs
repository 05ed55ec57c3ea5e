// `npm run release`: makes the files of a release from a clean clone: the package, its SBOM, the image as an archive,
// and the checksums of all. A second run makes the same package, SBOM and checksums of both.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { pack } from './pack.mjs';
import { archiveImage, findEngine } from './release-image.mjs';
import { sbomOf } from './sbom.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const SUMS = 'SHA256SUMS';

const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trimEnd();
const linesOf = (text) => text.split('\n').filter(Boolean);

/** Ignored files count where they would be packed. @throws {Error} naming what is not committed */
const rejectDirty = (packed) => {
  const changed = linesOf(git('status', '--porcelain', '--untracked-files=all'));
  const ignored = linesOf(git('status', '--porcelain', '--ignored', '--', ...packed));
  const all = [...new Set([...changed, ...ignored])];
  if (all.length === 0) return;
  throw new Error(`a release is made from a clean tree, and this one has:\n${all.join('\n')}`);
};

/** Makes the folder, without what an earlier run left. @throws {Error} naming other files in it */
const prepareFolder = async (folder, names) => {
  await mkdir(folder, { recursive: true });
  const others = (await readdir(folder)).filter((name) => !names.includes(name));
  if (others.length > 0)
    throw new Error(`${folder} has other files: ${others.join(', ')}. Remove them, or name another folder with --out`);
  await Promise.all(names.map((name) => rm(path.join(folder, name), { force: true })));
};

const sha256 = async (file) => {
  const hash = createHash('sha256');
  for await (const part of createReadStream(file)) hash.update(part);
  return hash.digest('hex');
};

/** Labels of the image that only a release has. The address comes from package.json: that of a remote may contain a secret. */
const labelsOf = ({ repository }, revision) => ({
  'org.opencontainers.image.revision': revision,
  ...(repository?.url && { 'org.opencontainers.image.source': repository.url }),
});

const writeSums = async (folder, names) => {
  const sums = await Promise.all(names.map(async (name) => `${await sha256(path.join(folder, name))}  ${name}\n`));
  await writeFile(path.join(folder, SUMS), sums.join(''));
};

const release = async ({ folder, withImage, tag }) => {
  const manifest = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
  const { name, version } = manifest;
  if (tag !== undefined && tag !== `v${version}`)
    throw new Error(`the tag is ${tag}, and package.json has version ${version}: the tag has to be v${version}`);
  rejectDirty(['docs', 'examples', 'fixtures', 'scripts/bench', 'spec', 'src/base/generated']);
  const engine = withImage ? findEngine() : undefined;
  const [tarball, sbom, image] = ['.tgz', '.cdx.json', '-image.tar.gz'].map((end) => `${name}-${version}${end}`);
  await prepareFolder(folder, [tarball, sbom, image, SUMS]);

  const [revision, seconds] = git('log', '-1', '--format=%H %ct').split(' ');
  const { metafiles } = await pack(folder);
  const checksum = await sha256(path.join(folder, tarball));
  const text = await sbomOf({ metafiles, sha256: checksum, time: new Date(Number(seconds) * 1000) });
  await writeFile(path.join(folder, sbom), text);
  if (engine) {
    const [labels, file] = [labelsOf(manifest, revision), path.join(folder, image)];
    await archiveImage({ engine, image: `${name}:${version}`, labels, epoch: Number(seconds), file });
  }
  const made = [tarball, sbom, ...(engine ? [image] : [])].sort();
  // Last, so that a folder with it is whole.
  await writeSums(folder, made);
  return [...made, SUMS];
};

try {
  const { values } = parseArgs({
    options: {
      out: { type: 'string', default: path.join(root, 'release') },
      tag: { type: 'string' },
      'without-image': { type: 'boolean', default: false },
    },
  });
  const folder = path.resolve(values.out);
  const withImage = !values['without-image'];
  for (const name of await release({ folder, withImage, tag: values.tag })) {
    const { size } = await stat(path.join(folder, name));
    console.log(`${String(Math.ceil(size / 1024)).padStart(8)} KiB  ${path.join(folder, name)}`);
  }
  if (!withImage) console.log('Without the image, as --without-image says.');
} catch (error) {
  console.error(`release: ${error.message}`);
  process.exitCode = 1;
}
