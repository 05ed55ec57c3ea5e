/** Clients of a server whose certificate only its owner has signed. `fetch` of Node cannot be told to trust one. */
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { type ClientOptions, ControlsClient } from './client.ts';

/** A client that trusts these certificates, and no others, if they are given. @param ca in PEM */
export async function connectTo({
  ca,
  ...options
}: ClientOptions & { readonly ca?: string | undefined }): Promise<ControlsClient> {
  if (ca === undefined || !options.url.startsWith('https:')) return new ControlsClient(options);
  return new ControlsClient({ ...options, fetch: await fetchTrusting(ca) });
}

/** As much of `fetch` as the client uses. */
async function fetchTrusting(ca: string): Promise<NonNullable<ClientOptions['fetch']>> {
  const { Agent, request } = await import('node:https');
  const agent = new Agent({ ca, keepAlive: true });
  return (url, { method, headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const sent = request(url, { agent, method, headers, ...(signal && { signal }) }, (response) => {
        const { statusCode: status = 0, headersDistinct } = response;
        const fields = Object.entries(headersDistinct).map(([name, values]): [string, string] => [name, `${values}`]);
        if (status === 204) response.resume();
        const stream = status === 204 ? null : (Readable.toWeb(response) as ReadableStream<Uint8Array<ArrayBuffer>>);
        resolve(new Response(stream, { status, headers: fields }));
      });
      sent.once('error', reject);
      sent.end(body);
    });
}
