/** `POST /_sandbox/mcp`: the MCP server for coding agents, over streamable HTTP without sessions. */

import { countMembers, JsonError } from '../../base/json.ts';
import { MAX_CONTROL_BODY, MAX_MEMBERS } from '../../base/limits.ts';
import { ControlsClient } from '../../client/client.ts';
import { credentialOf } from '../http/credential.ts';
import type { RequestParts } from '../http/open-exchange.ts';
import type { ResponseData } from '../http/response.ts';
import { SchemaChecks } from '../http/schema-checks.ts';
import { type ControlContext, type Controls, json, ownBody } from './control.ts';

export function mcpControls({ redact }: ControlContext): Controls {
  const checks = new SchemaChecks();
  return {
    callMcp: async ({ req, send, inTurn }) => {
      const text = String(await ownBody(req, { maxBytes: MAX_CONTROL_BODY }, 'a JSON-RPC message'));
      const excess = excessOf(text);
      if (excess !== undefined) return invalid(redact(excess));
      // What the library does with a message, and a tool with a response, follows in the same turn of the event loop.
      const turn = (): Promise<void> => inTurn(() => undefined);
      const credential = credentialOf(req);
      const client = new ControlsClient({
        url: '',
        fetch: async (...call) => {
          const response = await send(...call);
          await turn();
          return response;
        },
        ...(credential.kind === 'token' && { credential: credential.token }),
      });
      // Loaded with its first message. No stream outlives the response.
      const [{ createMcpHandler }, { mcpServers }] = await Promise.all([
        import('../mcp/library.ts'),
        import('../mcp/server.ts'),
      ]);
      const handler = createMcpHandler(mcpServers(client, { checks, redact }), { maxSubscriptions: 0 });
      await turn();
      const response = await handler.fetch(webRequestOf(req, text));
      const contentType = response.headers.get('content-type') ?? 'application/json';
      return { status: response.status, contentType, body: await response.text() };
    },
  };
}

/** Why a text may take too long. A batch could hold any number of calls; the protocol has none since 2025-06-18. */
function excessOf(text: string): string | undefined {
  if (text.trimStart().startsWith('[')) return 'a batch is not possible; send one message';
  try {
    countMembers(text, MAX_MEMBERS);
    return undefined;
  } catch (error) {
    if (error instanceof JsonError) return `the message ${error.message}`;
    throw error;
  }
}

const invalid = (message: string): ResponseData =>
  json(400, { jsonrpc: '2.0', id: null, error: { code: -32600, message } });

/** The request without its credential, which only the client uses. */
// biome-ignore-start lint/style/noRestrictedGlobals: the MCP package takes nothing else; the bundler finds it where Jest has none
function webRequestOf({ headers }: RequestParts, body: string): Request {
  const sent = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' && /^(?:accept|content-type|mcp-.*)$/.test(name) ? [[name, value]] : [],
  );
  return new Request('http://localhost/_sandbox/mcp', { method: 'POST', headers: sent, body });
}
// biome-ignore-end lint/style/noRestrictedGlobals: see above
