/** A request as a shell command. */
import type { Schema } from '../../../client/routes.ts';
import { addressOn } from '../address-on.ts';

export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** `undefined` if the journal does not contain the whole body. */
export function curlOf(
  { method, target, request }: Schema<'Exchange'>,
  server: string,
  key: string,
): string | undefined {
  if (request.unread || request.cut) return undefined;
  const parts = [
    'curl -i',
    ...(method === 'GET'
      ? []
      : method === 'HEAD'
        ? ['--head']
        : [`-X ${/^[A-Z]+$/.test(method) ? method : quoted(method)}`]),
    // Curl would interpret brackets and braces in a URL.
    ...(/[[\]{}]/.test(target) ? ['--globoff'] : []),
    '--path-as-is',
    quoted(addressOn(server, target)),
    `-H ${quoted(`Authorization: Bearer ${key}`)}`,
    ...(request.contentType === null ? [] : [`-H ${quoted(`Content-Type: ${request.contentType}`)}`]),
    ...(request.body === null ? [] : [`--data-raw ${quoted(request.body)}`]),
  ];
  return parts.join(' ');
}
