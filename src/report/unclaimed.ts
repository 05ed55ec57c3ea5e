/** What a report says of requests that belong to no sandbox, and came while only its client was at work. */
import type { components } from '../generated/controls.d.ts';

/** One of them, as `spec/controls.yaml` describes it. */
export type UnclaimedRequest = components['schemas']['UnclaimedRequest'];

/**
 * `3 requests came without a usable key: 2 × no API key was sent, 1 × …; send Authorization: Bearer <API_KEY>`, and the
 * same of paths outside the interface.
 */
export function unclaimedGaps(requests: readonly UnclaimedRequest[]): string[] {
  const meant = requests.filter(({ intended }) => !intended);
  const isAstray = ({ reason }: UnclaimedRequest): boolean => reason === 'outside-base-path';
  return [
    ...gapOf(
      'without a usable key',
      meant.filter((each) => !isAstray(each)),
    ),
    ...gapOf('to no path of the interface', meant.filter(isAstray)),
  ];
}

function gapOf(what: string, requests: readonly UnclaimedRequest[]): string[] {
  if (requests.length === 0) return [];
  const counts = new Map<string, number>();
  for (const { message } of requests) counts.set(message, (counts.get(message) ?? 0) + 1);
  const reasons = [...counts].map(([message, count]) => `${count} × ${message}`).join(', ');
  const instead = [...new Set(requests.map((each) => each.instead))].join(' or ');
  return [
    `${requests.length} ${requests.length === 1 ? 'request' : 'requests'} came ${what}: ${reasons}; send ${instead}`,
  ];
}
