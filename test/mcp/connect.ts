/** Connections of the official client, and what every result of a tool must be. */
import { Client, InMemoryTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, onTestFinished } from 'vitest';
import { ControlsClient } from '../../src/client/client.ts';
import { mcpServers } from '../../src/mcp/server.ts';

/** What a tool returned; `data` is its structured content. */
export interface Called {
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: what a test reads out of it, it also checks
  readonly data: any;
  readonly isError: boolean;
  readonly links: readonly string[];
  /** All of it, as JSON. */
  readonly whole: string;
}

/** An agent that is connected to the MCP server. */
export class Agent {
  readonly client: Client;
  #outputs: ReadonlyMap<string, ValidateFunction> | undefined;

  constructor(client: Client) {
    this.client = client;
    onTestFinished(() => client.close());
  }

  /** Calls a tool; holds its result to what is true of all of them. */
  async call(name: string, args: object = {}): Promise<Called> {
    this.#outputs ??= new Map(
      (await this.client.listTools()).tools.map((tool) => [tool.name, compiled(tool.outputSchema)]),
    );
    const result = await this.client.callTool({ name, arguments: { ...args } });
    const [first, ...links] = result.content as { type: string; text: string; uri: string }[];
    expect(first).toMatchObject({ type: 'text', text: expect.stringMatching(/^Next: .+\n\n/) });
    const validate = this.#outputs.get(name) as ValidateFunction;
    expect([result.structuredContent, validate(result.structuredContent), validate.errors]).toEqual([
      expect.any(Object),
      true,
      null,
    ]);
    return {
      text: first?.text ?? '',
      data: result.structuredContent,
      isError: result.isError === true,
      links: links.map(({ uri }) => uri),
      whole: JSON.stringify(result),
    };
  }

  /** A sandbox of its own: its handle, its key and its id. */
  async sandbox(): Promise<{ handle: string; key: string; id: string }> {
    const { handle, key, sandbox } = (await this.call('sandbox_create')).data;
    return { handle, key, id: sandbox };
  }
}

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);
/** By their text: every connection lists the same. */
const validators = new Map<string, ValidateFunction>();

export function compiled(schema: object | undefined): ValidateFunction {
  const text = JSON.stringify(schema);
  const validate = validators.get(text) ?? ajv.compile(JSON.parse(text));
  validators.set(text, validate);
  return validate;
}

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

type Era = 'newest' | '2025';

const newClient = (era: Era): Client =>
  new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: era === '2025' ? 'legacy' : 'auto' }, jsonSchemaValidator },
  );

/** Over HTTP, with a key or the admin token. */
export async function overHttp(url: string, credential?: string, era: Era = 'newest'): Promise<Agent> {
  const headers = credential === undefined ? {} : { Authorization: `Bearer ${credential}` };
  const client = newClient(era);
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/_sandbox/mcp`), { requestInit: { headers } }) as never,
  );
  return new Agent(client);
}

/** In this process, on a client of the control API, as over stdio. */
export async function inProcess(url: string): Promise<Agent> {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const server = await mcpServers(new ControlsClient({ url }))({ era: 'legacy' });
  await server.connect(theirs as never);
  const client = newClient('2025');
  await client.connect(ours);
  return new Agent(client);
}
