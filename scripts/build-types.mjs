// Writes the types of what the package exports into dist/types/.
import { spawnSync } from 'node:child_process';
import { copyFile, mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const out = path.join(root, 'dist/types');

await rm(out, { recursive: true, force: true });
const tsc = [path.join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.types.json'];
const { status } = spawnSync(process.execPath, tsc, { cwd: root, stdio: 'inherit' });
process.exitCode = status ?? 1;

// The compiler leaves out files that hold nothing but types already.
await mkdir(path.join(out, 'generated'), { recursive: true });
for (const file of await readdir(path.join(root, 'src/generated'))) {
  if (file.endsWith('.d.ts')) await copyFile(path.join(root, 'src/generated', file), path.join(out, 'generated', file));
}
