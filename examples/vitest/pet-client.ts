/** The client under test: a mock for yours. */
export class PetClient {
  constructor(
    private readonly url: string,
    private readonly key: string,
  ) {}

  async list(status: string): Promise<{ id: number; name: string }[]> {
    return await this.#request('GET', `/pets?status=${status}`);
  }

  async create(pet: { name: string; categoryId: number; status?: string }): Promise<{ id: number; name: string }> {
    return await this.#request('POST', '/pets', pet);
  }

  async #request<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    const headers = { Authorization: `Bearer ${this.key}`, 'Content-Type': 'application/json' };
    const response = await fetch(this.url + path, { method, headers, body: body ? JSON.stringify(body) : null });
    if (!response.ok) throw new Error(`the pet shop answered ${response.status}`);
    return (await response.json()) as Answer;
  }
}
