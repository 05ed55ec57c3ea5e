/** A HAR as a browser writes it. */

/** The key in each of its requests. */
export const SECRET = 'a-secret-of-production-0123';

/** A HAR of requests that a server answered with an empty list. */
export const harOf = (...urls: readonly string[]): string =>
  JSON.stringify({
    log: {
      entries: urls.map((url) => ({
        startedDateTime: '2026-11-24T10:00:00.000Z',
        time: 12,
        request: { method: 'GET', url, headers: [{ name: 'Authorization', value: `Bearer ${SECRET}` }], bodySize: 0 },
        response: {
          status: 200,
          headers: [{ name: 'Content-Type', value: 'application/json' }],
          content: { size: 2, mimeType: 'application/json', text: '[]' },
        },
      })),
    },
  });
