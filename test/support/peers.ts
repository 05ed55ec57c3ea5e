/** Servers that share a store: a request to one of them goes to the next in turn. */
const peers = new Map<string, { readonly urls: readonly string[]; turn: number }>();

export function addPeers(urls: readonly string[]): void {
  const shared = { urls, turn: 0 };
  for (const url of urls) peers.set(url, shared);
}

/** The address that a request goes to. */
export function nextOf(url: string): string {
  const found = peers.get(url);
  if (!found) return url;
  found.turn = (found.turn + 1) % found.urls.length;
  return found.urls[found.turn] as string;
}
