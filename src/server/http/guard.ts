/**
 * Rejects cross-site and DNS-rebinding requests. A web page must not control a developer's sandbox: everything under
 * `/_sandbox`, and the dashboard, rejects requests sent by another site's page, and requests for a host name that only
 * resolves to this machine (DNS rebinding). The petstore API needs no such guard: it requires a key.
 */
import { isIP } from 'node:net';
import { ApiError } from '../../base/api/errors.ts';
import { quoted, shorten } from '../../base/text.ts';
import { preflightHeaders } from './cors.ts';
import { isLoopbackAddress } from './listening.ts';
import type { Request } from './open-exchange.ts';
import type { ResponseData } from './response.ts';

export interface GuardOptions {
  /** Allowed origins (`http://localhost:3000`), in addition to the server's own. */
  readonly allowOrigins: readonly string[];
  /** This server's host names, in addition to loopback ones. */
  readonly allowHosts: readonly string[];
  /** True if only this machine can reach the server: then programs, too, must use its own name. */
  readonly loopbackOnly: boolean;
  /** The server's own address, if configured. */
  readonly publicUrl: string | undefined;
}

/** Lets same-origin pages, non-browser clients and allow-listed hosts pass. @throws {ApiError} `forbidden` for all others */
export type Guard = (req: Request) => ResponseData | undefined;

/** Makes the guard; it responds itself where a browser asks before a request, and where a link led to a page. */
export function guard({ allowOrigins, allowHosts, loopbackOnly, publicUrl }: GuardOptions): Guard {
  const own = publicUrl === undefined ? undefined : new URL(publicUrl);
  const named = new Set([...allowHosts, ...(own ? [own.host, own.hostname] : [])].map((host) => host.toLowerCase()));
  const origins = new Set([...allowOrigins, ...(own ? [own.origin] : [])]);

  return (req) => {
    const host = (req.headers.host ?? '').toLowerCase();
    const isNamed = isHealth(req) || isLoopback(host) || named.has(host) || named.has(withoutPort(host));
    // Where others reach the server, programs may use any name. A page of any name could be one that rebinds it.
    const { origin } = req.headers;
    const isAllowedOrigin = origin !== undefined && origins.has(origin);
    if (!isNamed && (loopbackOnly || !(isAddress(host) || isAllowedOrigin || !isFromBrowser(req))))
      throw notThisServer(host);
    if (isAllowedOrigin) {
      req.exchange.headers = openTo(origin);
      return req.method === 'OPTIONS' ? { status: 204, body: '', headers: preflightHeaders(req) } : undefined;
    }
    if (isForeign(req, host)) {
      if (isLinkToPage(req)) return LINKED_PAGE;
      throw foreignPage(origin);
    }
    return undefined;
  };
}

/** It has nothing to hide, and a balancer may ask with its own name for a server, or with none (HTTP/1.0). */
const isHealth = ({ method, exchange }: Request): boolean =>
  (method === 'GET' || method === 'HEAD') && /^\/_sandbox\/health\/?(?:\?|$)/.test(exchange.request.target);

/** Browsers send one of the two with everything that a page's script requests (Fetch Metadata, section 2). */
const isFromBrowser = ({ headers }: Request): boolean =>
  headers.origin !== undefined || headers['sec-fetch-site'] !== undefined;

/** An address needs no name to be resolved, so none can be rebound. */
const isAddress = (host: string): boolean => isIP(withoutPort(host).replace(/^\[|\]$/g, '')) !== 0;

function isForeign({ headers }: Request, host: string): boolean {
  if (headers['sec-fetch-site'] === 'cross-site') return true;
  const { origin } = headers;
  return origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`;
}

/** A link that a person followed to a page: nothing is shown or changed before they confirm it. */
const isLinkToPage = ({ method, headers, exchange }: Request): boolean =>
  method === 'GET' && headers['sec-fetch-mode'] === 'navigate' && !exchange.request.target.startsWith('/_sandbox');

/** The link on it comes from this server, so the guard allows it. No site may show the page in a frame. */
const LINKED_PAGE: ResponseData = {
  status: 403,
  contentType: 'text/html; charset=utf-8',
  headers: [
    'Content-Security-Policy',
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  ],
  body: `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Petstore sandbox</title>
<h1>A page of another site led here</h1>
<p>This server rejects requests that other sites send. If you followed a link, go on:</p>
<p><a href="/">Open the dashboard</a></p>
</html>
`,
};

const notThisServer = (host: string): ApiError =>
  new ApiError(
    'forbidden',
    `this server is not ${quoted(host, 100)}; if it is, start it with --allow-host ${safeHost(host)}`,
  );

const foreignPage = (origin: string | undefined): ApiError =>
  new ApiError(
    'forbidden',
    `a page of another site sent this${origin ? ` (${shorten(origin, 100)})` : ''}; if it may, start the server with --allow-origin`,
  );

const withoutPort = (host: string): string => host.replace(/:\d+$/, '');

function isLoopback(host: string): boolean {
  const name = withoutPort(host);
  return name.endsWith('.localhost') || name === '[::1]' || isLoopbackAddress(name);
}

const safeHost = (host: string): string => (/^[a-z0-9.-]{1,100}(:\d+)?$/.test(host) ? withoutPort(host) : '<host>');

const openTo = (origin: string): readonly string[] => [
  'Access-Control-Allow-Origin',
  origin,
  'Vary',
  'Origin',
  'Access-Control-Expose-Headers',
  'Sandbox-Request-Id',
];
