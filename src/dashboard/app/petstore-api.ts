/** The petstore API, called as by any client: the requests of this page are in the traffic, and marked there. */

import { ClientError, errorOf } from '../../client/errors.ts';
import { readJson } from '../../client/json.ts';
import { writeJson } from '../../core/int64.ts';
import { operations } from '../../generated/facts.ts';
import type { components } from '../../generated/petstore.d.ts';

export type Pet = components['schemas']['Pet'];
export type PetStatus = components['schemas']['PetStatus'];

/** The maximum length of a list. */
export const MAX_LISTED = operations.listPets.parameters['query/limit'].schema.maximum;

export class PetstoreApi {
  readonly #baseUrl: string;
  readonly #key: string;

  constructor(baseUrl: string, key: string) {
    this.#baseUrl = baseUrl;
    this.#key = key;
  }

  /** @throws {ClientError} */
  list(status: PetStatus | undefined): Promise<Pet[]> {
    return this.#request(`/pets?limit=${MAX_LISTED}${status === undefined ? '' : `&status=${status}`}`) as Promise<
      Pet[]
    >;
  }

  /** @param id sent unchanged @throws {ClientError} */
  get(id: string): Promise<Pet> {
    return this.#request(`/pets/${encodeURIComponent(id)}`) as Promise<Pet>;
  }

  /** @throws {ClientError} */
  create(pet: { readonly [field: string]: unknown }): Promise<Pet> {
    return this.#request('/pets', { method: 'POST', body: writeJson(pet) }) as Promise<Pet>;
  }

  async #request(path: string, { method = 'GET', body }: { method?: string; body?: string } = {}): Promise<unknown> {
    const response = await fetch(this.#baseUrl + path, {
      method,
      headers: {
        Authorization: `Bearer ${this.#key}`,
        // Marks them in the request log, and keeps them out of the contract report.
        'Sandbox-Source': 'dashboard',
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body }),
      cache: 'no-store',
      credentials: 'omit',
    }).catch((cause) => {
      throw ClientError.notReached(this.#baseUrl, cause);
    });
    const text = await response.text().catch((cause) => {
      throw ClientError.notReached(this.#baseUrl, cause);
    });
    if (!response.ok) throw errorOf(response, text);
    return readJson(text);
  }
}
