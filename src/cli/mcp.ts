/** `petstore-sandbox mcp`: the MCP server over stdin and stdout. */
import { finished } from 'node:stream/promises';
import { serveStdio } from '../server/mcp/library.ts';
import { mcpServers } from '../server/mcp/server.ts';
import { type Command, connected, type LocalCall } from './command.ts';
import { runConnected } from './connection.ts';
import type { MCP } from './flags.ts';

/**
 * Serves until stdin ends: on the server that flags or the environment name, otherwise on one of its own, in memory.
 * @throws {SettingsError}
 */
export async function mcp({ flags, ...call }: LocalCall<typeof MCP>): Promise<number | undefined> {
  const { url, key, adminToken } = flags;
  const start = !(url ?? key ?? adminToken ?? call.environment['SANDBOX_URL']);
  return runConnected(SERVED, { ...call, flags: { sandbox: undefined, json: false, ...flags, start } as never });
}

const SERVED: Command = connected({
  name: 'mcp',
  summary: '',
  as: 'agent',
  examples: [],
  run: async ({ client }) => {
    // A file, or /dev/null, ends and is not closed. A pipe that breaks has ended, too.
    const ended = finished(process.stdin, { writable: false }).catch(() => undefined);
    const connection = serveStdio(mcpServers(client));
    await ended;
    await connection.close();
    return undefined;
  },
});
