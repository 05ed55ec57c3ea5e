/** What happens to a sandbox besides its requests. */
import type { components } from '../generated/control-api.d.ts';

/** Events other than exchanges; `unmatched` concerns the whole server. `at` is real time; `drill` is null after its end. */
export type SandboxEvent =
  | { readonly event: 'reset'; readonly data: { readonly at: string; readonly to: object } }
  | { readonly event: 'cleared'; readonly data: { readonly at: string } }
  | { readonly event: 'unmatched'; readonly data: components['schemas']['UnmatchedRequest'] }
  | { readonly event: 'drill'; readonly data: { readonly at: string; readonly drill: string | null } }
  | {
      readonly event: 'key';
      readonly data: { readonly at: string; readonly action: 'shared' | 'revoked'; readonly id: string };
    };
