/** Connections of the official client, and what every result of a tool must be. */
import { Client, InMemoryTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import { expect, onTestFinished } from 'vitest';
import { ControlsClient } from '../../../src/client/client.ts';
import { mcpServers } from '../../../src/server/mcp/server.ts';

/** A client compiles what every tool returns. All clients share what is compiled, by its text. */
class CompilesOnce extends AjvJsonSchemaValidator {
  readonly #compiled = new Map<string, ReturnType<AjvJsonSchemaValidator['getValidator']>>();

  override getValidator(schema: object) {
    const text = JSON.stringify(schema);
    const validate = this.#compiled.get(text) ?? super.getValidator(schema);
    this.#compiled.set(text, validate);
    return validate as never;
  }
}
const jsonSchemaValidator = new CompilesOnce();

/** @throws {Error} unless it is a schema @returns what is wrong with a value */
export const compiled = (schema: object) => {
  const validate = jsonSchemaValidator.getValidator(schema) as (value: unknown) => { errorMessage?: string };
  return (value: unknown): string | undefined => validate(value).errorMessage;
};

/** What a tool returned; `data` is its structured content. */
export interface Called {
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: what a test reads out of it, it also checks
  readonly data: any;
  readonly isError: boolean;
  /** All of it, as JSON. */
  readonly whole: string;
}

/** An agent that is connected to the MCP server. */
export class Agent {
  readonly client: Client;

  constructor(client: Client) {
    this.client = client;
    onTestFinished(() => client.close());
  }

  /** Calls a tool; holds its result to what is true of all of them. */
  async call(name: string, args: object = {}): Promise<Called> {
    const { tools } = await this.client.listTools();
    const result = await this.client.callTool({ name, arguments: { ...args } });
    const [first] = result.content as { type: string; text: string }[];
    expect(first).toMatchObject({ type: 'text', text: expect.stringMatching(/^Next: .+\n\n/) });
    const data = result.structuredContent;
    // The client itself does not look at those of errors.
    const problems = compiled(tools.find((tool) => tool.name === name)?.outputSchema ?? {})(data);
    expect([data, problems]).toEqual([expect.any(Object), undefined]);
    return {
      text: first?.text ?? '',
      data,
      isError: result.isError === true,
      whole: JSON.stringify(result),
    };
  }

  /** A sandbox of its own: its handle, its key and its id. */
  async sandbox(): Promise<{ handle: string; key: string; id: string }> {
    const { handle, key, sandbox } = (await this.call('sandbox_create')).data;
    return { handle, key, id: sandbox };
  }
}

const newClient = (mode: 'auto' | 'legacy'): Client =>
  new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode }, jsonSchemaValidator });

/** Over HTTP, with a key or the admin token. `legacy` is the protocol of 2025. */
export async function overHttp(url: string, credential?: string, mode: 'auto' | 'legacy' = 'auto'): Promise<Agent> {
  const headers = credential === undefined ? {} : { Authorization: `Bearer ${credential}` };
  const client = newClient(mode);
  const address = new URL(`${url}/_sandbox/mcp`);
  await client.connect(new StreamableHTTPClientTransport(address, { requestInit: { headers } }) as never);
  return new Agent(client);
}

/** In this process, on a client of the control API, as over stdio. */
export async function inProcess(url: string): Promise<Agent> {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const server = await mcpServers(new ControlsClient({ url }))({ era: 'legacy' });
  await server.connect(theirs as never);
  const client = newClient('legacy');
  await client.connect(ours);
  return new Agent(client);
}
