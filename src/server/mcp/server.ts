/** The MCP server: its tools over a client of the control API. */

import { SANDBOX_PREFIX } from '../../base/address.ts';
import type { Problem } from '../../base/api/exchange.ts';
import { version } from '../../base/shipped.ts';
import { notKnown, shorten } from '../../base/text.ts';
import type { ControlsClient } from '../../client/client.ts';
import { ClientError } from '../../client/errors.ts';
import { INT64_MEMBERS } from '../../client/json.ts';
import { createRedact, type Redact, redactedJson } from '../../traffic/redact.ts';
import { SchemaChecks } from '../http/schema-checks.ts';
import { type McpServerFactory, ProtocolError, ProtocolErrorCode, Server } from './library.ts';
import { TOOLS, type Tool, type ToolResult, wrongArguments } from './tools.ts';

const INSTRUCTIONS = `A stateful mock server of the petstore service, to build and test clients of it.
Call sandbox_create, run the client with its SANDBOX_URL and SANDBOX_KEY, then call verdict: it names each wrong request and what to send instead. drill grades the client when things go wrong. Ids are int64, and strings in these tools. Each result begins with what to do next.`;

const listedTools = TOOLS.map(({ name, title, description, input, output, readOnly }) => ({
  name,
  title,
  description,
  inputSchema: input,
  outputSchema: output,
  annotations: { title, readOnlyHint: readOnly, destructiveHint: name === 'sandbox_change', openWorldHint: false },
}));

/**
 * Makes servers, one for each connection or request.
 * @param client with the credential of the connection, if it has one
 * @param options `checks` keeps the compiled schemas of the tools' arguments, `redact` takes secrets out of errors: they quote what was sent
 */
export function mcpServers(
  client: ControlsClient,
  { checks = new SchemaChecks(), redact = createRedact([]) }: { checks?: SchemaChecks; redact?: Redact } = {},
): McpServerFactory {
  /** The client that acts on a sandbox: by its handle or key, or by its id with the admin token. */
  const inSandbox = (sandbox: string | undefined): ControlsClient => {
    if (sandbox === undefined) return client;
    return sandbox.startsWith(SANDBOX_PREFIX) ? client.on(sandbox) : client.as(sandbox);
  };

  const call = async (tool: Tool, args: Readonly<Record<string, unknown>>): Promise<object> => {
    const { sandbox, ...rest } = args;
    const handle = sandbox as string | undefined;
    try {
      await rejectWrong(tool, args, checks);
      return toolResultOf(await tool.run({ args: withInt64(rest), client: inSandbox(handle) }));
    } catch (error) {
      if (error instanceof ClientError) return JSON.parse(redactedJson(errorResult(error), redact));
      throw error;
    }
  };

  return () => {
    const server = new Server(
      { name: 'petstore-sandbox', title: 'Petstore sandbox', version },
      { capabilities: { tools: {} }, instructions: INSTRUCTIONS, ...NO_VALIDATOR },
    );
    server.setRequestHandler('tools/list', () => ({ tools: listedTools }) as never);
    server.setRequestHandler('tools/call', async ({ params: { name, arguments: args = {} } }) => {
      const tool = TOOLS.find((each) => each.name === name);
      if (!tool) throw unknownToolError(name, redact);
      return (await call(tool, args)) as never;
    });
    return server;
  };
}

/** The server asks its clients for no input, so it has none to validate. */
const NO_VALIDATOR = {
  jsonSchemaValidator: {
    getValidator: () => {
      throw new Error('this server asks for no input');
    },
  },
};

function unknownToolError(name: string, redact: Redact): ProtocolError {
  const known = TOOLS.map((each) => each.name);
  const message = redact(`the tool ${JSON.stringify(shorten(name, 100))} ${notKnown(name, known)}`);
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

/** @throws {ClientError} naming what is wrong, for the agent to correct */
async function rejectWrong(tool: Tool, args: object, checks: SchemaChecks): Promise<void> {
  JSON.stringify(args, (name, value: unknown) => {
    if (typeof value !== 'number' || !Number.isInteger(value) || Number.isSafeInteger(value)) return value;
    throw wrongArguments(`arguments: ${name} is beyond 2^53 and may have lost digits; send it as a string of digits`);
  });
  const problems: Problem[] = [];
  await checks.check(tool.input, args, 'arguments', problems);
  if (problems.length === 0) return;
  throw wrongArguments(problems.map(({ location, message }) => `${location} ${message}`).join('; '));
}

/** The int64 of a fixture, which are strings of digits here, as integers. */
function withInt64(value: unknown): Readonly<Record<string, unknown>> {
  const text = JSON.stringify(value);
  return JSON.parse(text, (name, inside: unknown) => {
    return INT64_MEMBERS.has(name) && typeof inside === 'string' && /^-?\d{1,19}$/.test(inside)
      ? BigInt(inside)
      : inside;
  });
}

const toolResultOf = (result: ToolResult): object => ({
  content: [{ type: 'text', text: `Next: ${result.next}\n\n${result.text}` }],
  structuredContent: withStrings(result.data),
});

/** What an agent can do about an error; the rest is in the message. */
const REMEDIES: Readonly<Partial<Record<ClientError['code'], string>>> = {
  unauthorized: 'call sandbox_create, and pass the handle of its result as the argument sandbox',
  not_reached: 'start the server that SANDBOX_URL names, or start this MCP server without SANDBOX_URL',
  invalid_request: 'correct the arguments',
};

function errorResult({ code, message, status, body }: ClientError): object {
  const remedy = REMEDIES[code] ?? 'read the message, and do what it says';
  return {
    content: [{ type: 'text', text: `Next: ${remedy}\n\n${message}` }],
    structuredContent: withStrings(body ?? { code: 'internal_error', message, status: status || 503 }),
    isError: true,
  };
}

/** Each int64 as a string: a client reads JSON as it likes. */
const withStrings = (data: unknown): unknown =>
  JSON.parse(JSON.stringify(data, (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value)));
