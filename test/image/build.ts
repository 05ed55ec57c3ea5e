/** Before the tests: builds the image, as the documentation says to. */
import type { TestProject } from 'vitest/node';
import { engine, tryEngine } from './engine.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The name of the image under test. */
    image: string;
  }
}

/** What the documentation says to give, and the tests look for. */
export const LABELS = {
  'org.opencontainers.image.revision': '0123456789abcdef0123456789abcdef01234567',
  'org.opencontainers.image.source': 'https://example.com/petstore-sandbox',
};

/** Builds the image, or one of its stages, under a name; its files carry the time `epoch`, in seconds since 1970. */
export async function buildImage(name: string, { epoch = 0, stage = '' } = {}): Promise<void> {
  const labels = Object.entries(LABELS).map(([label, value]) => `--label=${label}=${value}`);
  const target = stage ? [`--target=${stage}`] : [];
  await engine('build', `--build-arg=SOURCE_DATE_EPOCH=${epoch}`, ...labels, ...target, '--tag', name, '.');
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const image = `petstore-sandbox:test-${process.pid}`;
  const began = performance.now();
  await buildImage(image);
  process.stdout.write(`image: built in ${((performance.now() - began) / 1000).toFixed(1)} s\n`);
  project.provide('image', image);
  return async () => {
    await tryEngine('image', 'rm', image);
  };
}
