// The image as a compressed archive, which `docker load` reads.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { createGzip } from 'node:zlib';

const root = fileURLToPath(new URL('..', import.meta.url));

/** A client without its server can do nothing: `docker --version` would not tell. */
const works = (tool) => {
  try {
    execFileSync(tool, ['info'], { stdio: 'ignore', timeout: 30_000 });
    return true;
  } catch {
    return false;
  }
};

/** `CONTAINER_TOOL`, or docker, or podman. @throws {Error} if none of them works */
export const findEngine = () => {
  const { CONTAINER_TOOL } = process.env;
  const found = (CONTAINER_TOOL ? [CONTAINER_TOOL] : ['docker', 'podman']).find(works);
  if (found) return found;
  const tried = CONTAINER_TOOL ? `${CONTAINER_TOOL} does not work` : 'neither docker nor podman works';
  throw new Error(`no container engine: ${tried}. Start one, or leave the image out with --without-image`);
};

/**
 * Builds the image under its name and writes it into a file.
 * @param {{ engine: string, image: string, labels: Record<string, string>, epoch: number, file: string }} options the
 * image's name with its version, and the time of its files, in seconds since 1970
 */
export const archiveImage = async ({ engine, image, labels, epoch, file }) => {
  const given = Object.entries(labels).map(([name, value]) => `--label=${name}=${value}`);
  const build = ['build', `--build-arg=SOURCE_DATE_EPOCH=${epoch}`, ...given, '--tag', image, '.'];
  execFileSync(engine, build, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  const save = spawn(engine, ['save', image], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [[code]] = await Promise.all([
    once(save, 'close'),
    pipeline(save.stdout, createGzip(), createWriteStream(file)),
  ]);
  if (code !== 0) throw new Error(`${engine} save ${image} ended with ${code}`);
};
