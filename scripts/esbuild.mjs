// The bundler. Its binary is an optional dependency for each platform. If npm omitted it (`--omit=optional`), the same
// version in WebAssembly replaces it, about ten times slower.
import * as native from 'esbuild';

const hasBinary = async () => {
  try {
    await native.transform('');
    return true;
  } catch {
    return false;
  }
};

const fallback = async () => {
  console.error('The binary of esbuild is not installed; building without it takes longer.');
  return import('esbuild-wasm');
};

export const esbuild = (await hasBinary()) ? native : await fallback();
