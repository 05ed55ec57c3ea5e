/** Detects with a few requests whether there is a petstore at an address. */
import { ERROR_STATUS } from '../api/errors.ts';
import { shorten } from '../core/text.ts';
import { get, LIST_PATH } from './cases.ts';
import { type HttpProbe, NoResponse, type ProbeResponse, RateLimited, Stopped } from './http-probe.ts';

/** No server responds, or it is not a petstore; `message` states the reason. */
export class NoPetstore extends Error {}

/** The server rejects the key: nothing can be checked. */
export class KeyRejected extends Error {}

/** Tries a list with a limit first; a server without limits may still list its pets. */
const PATHS = [`${LIST_PATH}?limit=1`, LIST_PATH];
const MAX_RECOGNIZED_TEXT = 80;

/**
 * Requests a list of pets. Only a list proves a petstore: many servers have an Error body for an unknown path.
 * @param url the base address, for messages
 * @throws {NoPetstore | KeyRejected}
 */
export async function recognizePetstore(probe: HttpProbe, url: string): Promise<void> {
  const seen: string[] = [];
  for (const path of PATHS) {
    const response = await probeResponse(probe, path, url);
    const { status } = response;
    if (isList(response) || isRedirect(response)) return;
    if (status === ERROR_STATUS.unauthorized || status === ERROR_STATUS.forbidden)
      throw new KeyRejected(`${url} rejects the key (${status})`);
    seen.push(`GET ${url}${path} gets ${inWords(response)}`);
  }
  throw new NoPetstore(`no petstore here: ${seen.join('; ')}. --url must be the address that ${LIST_PATH} follows`);
}

async function probeResponse(probe: HttpProbe, path: string, url: string): Promise<ProbeResponse> {
  try {
    return await probe.send(get(path));
  } catch (error) {
    if (error instanceof NoResponse) {
      throw new NoPetstore(`${url} cannot be reached (${error.message})`, { cause: error });
    }
    if (error instanceof Stopped || error instanceof RateLimited) throw new NoPetstore(error.message, { cause: error });
    throw error;
  }
}

/** An address that redirects each request is wrong, and each of them is found. */
const isRedirect = ({ status, headers }: ProbeResponse): boolean =>
  status >= 300 && status < 400 && headers.location !== undefined;

/** Looks like a list, or like a pet somewhere. Mistakes in or around its JSON are found later: it is a petstore all the same. */
function isList({ status, text }: ProbeResponse): boolean {
  if (status < 200 || status >= 300) return false;
  const legible = text.replaceAll(/[\0\ufeff\ufffd]/g, '').trim();
  return /^(?:[^[{<"]{0,30}\[\s*[\]{]|null$)/.test(legible) || /^[^<].*\bcategoryId\b/s.test(legible);
}

function inWords({ status, headers, text }: ProbeResponse): string {
  const body = shorten(text.replace(/\s+/g, ' ').trim(), MAX_RECOGNIZED_TEXT);
  return [String(status), headers['content-type'], body].filter(Boolean).join(' ');
}
