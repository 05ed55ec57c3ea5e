/** How often a header was sent: `headers` keeps only the first, or joins them. `name` is in lower case. */
export function timesSent(rawHeaders: readonly string[], name: string): number {
  let times = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const sent = rawHeaders[i] as string;
    if (sent.length === name.length && sent.toLowerCase() === name) times++;
  }
  return times;
}
