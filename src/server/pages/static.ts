/**
 * Serves the dashboard's files, as built by `scripts/build-dashboard.mjs`: each uncompressed, and in two compressed
 * encodings. They are read on request, so that an unused dashboard costs nothing.
 */
import { extname, join } from 'node:path';
import { unknownPathError } from '../http/errors.ts';
import type { Request } from '../http/open-exchange.ts';
import type { Encoding, ResponseData } from '../http/response.ts';
import type { Endpoint } from '../http/route.ts';
import { notBuilt, PRIVACY, pageAt, readPage, readServed } from './pages.ts';

interface DashboardOptions {
  /** The folder with the pages and, in `assets/`, their assets. */
  readonly directory: string;
}

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** `main-QX2W4ZTB.js`: a name with a content hash, so that browsers may cache it indefinitely. */
const ASSET = /^[a-z-]+-[A-Z0-9]{8}\.[a-z]+$/;

/** The ending of a file in an encoding. */
const SUFFIXES = { br: '.br', gzip: '.gz' } as const;

/** `/` and `/assets/…`. */
export const dashboardPages = ({ directory }: DashboardOptions): readonly Endpoint[] => [
  pageAt('/', () => readPage(directory, 'index')),
  pageAt('/assets/:name', (req) => readAsset(directory, req)),
];

/** The request log does not record it. */
async function readAsset(directory: string, req: Request): Promise<ResponseData> {
  const { name = '' } = req.params;
  const contentType = TYPES[extname(name)];
  if (!ASSET.test(name) || contentType === undefined) throw unknownPathError(req);
  const encoding = encodingFor(req);
  const suffix = encoding === undefined ? '' : SUFFIXES[encoding];
  // An asset of another build may be missing.
  const bytes = await readServed(join(directory, 'assets', name + suffix), notBuilt);
  const headers = ['Vary', 'Accept-Encoding', ...PRIVACY];
  return { status: 200, contentType, body: '', encoded: { encoding, bytes }, headers, isImmutable: true };
}

/** The smallest first. */
const ENCODINGS: readonly Encoding[] = ['br', 'gzip'];

/**
 * The smallest encoding that the client accepts by its name; `undefined` to send the bytes as they are (RFC 9110,
 * section 12.5.3).
 */
function encodingFor({ headers }: Request): Encoding | undefined {
  const accepted = headers['accept-encoding'] ?? '';
  const rejected = /;\s*q=0(?:\.0*)?\s*$/;
  const names = String(accepted)
    .split(',')
    .filter((each) => !rejected.test(each))
    .map((each) => each.split(';')[0]?.trim().toLowerCase());
  return ENCODINGS.find((name) => names.includes(name));
}
