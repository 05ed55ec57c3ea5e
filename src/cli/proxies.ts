/** Why no request may have come: the proxies of an environment, and caches of tests. A sandbox on this machine, or in the same network, is reached without one. */
import { existsSync } from 'node:fs';

const EXCEPTIONS = ['NO_PROXY', 'no_proxy'] as const;
const PROXIES = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy'];

/**
 * The variables that keep a command from sending the requests for a server to a proxy. Programs read one of the two and
 * not the other, so both have what either had.
 */
export function withoutProxyFor(url: string, environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { hostname } = new URL(url);
  const address = hostname.replace(/^\[|\]$/g, '');
  // Some programs want an IPv6 address in brackets.
  const hosts = [...new Set([address, hostname])];
  const known = EXCEPTIONS.flatMap((name) => environment[name]?.split(/[\s,]+/) ?? []).filter((each) => each !== '');
  // Most programs read the asterisk only where nothing else is there.
  const value = known.includes('*') ? '*' : [...new Set([...known, ...hosts])].join(',');
  return Object.fromEntries(EXCEPTIONS.map((name) => [name, value]));
}

/** Files of tools that repeat the results of tests whose inputs did not change. */
const CACHES = ['turbo.json', 'nx.json', 'settings.gradle', 'settings.gradle.kts', 'build.gradle', 'build.gradle.kts'];

/** Why a tool with a cache may have kept the tests from running here with the address, in words; nothing without one. */
export function cacheHere(): string | undefined {
  const file = CACHES.find((each) => existsSync(each));
  return file && `the tool of ${file} may have repeated results of its cache: see docs/guides/ci.md#monorepos`;
}

/** The proxy that is set, without its password, in words; nothing if there is none. */
export function proxyIn(environment: NodeJS.ProcessEnv): string | undefined {
  const name = PROXIES.find((each) => environment[each]);
  if (name === undefined) return undefined;
  const address = (environment[name] ?? '').replace(/^(\w+:\/\/)?.*@/, '$1');
  return `${name} is set to ${address}: a client that sends its requests to that proxy, and ignores NO_PROXY, does not reach the sandbox`;
}
