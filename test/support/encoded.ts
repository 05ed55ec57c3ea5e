/** A response as it is sent: `fetch` would decode its body. */
import { get, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';

export interface Encoded {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** @param headers such as `Accept-Encoding` */
export const encodedOf = (url: string, headers: Readonly<Record<string, string>>): Promise<Encoded> =>
  new Promise((resolve, reject) => {
    get(url, { headers }, (res) => {
      buffer(res).then((body) => resolve({ headers: res.headers, body }), reject);
    }).on('error', reject);
  });
