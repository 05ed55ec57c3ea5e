/** One message of the protocol over HTTP, without a session. */

import type { ControlsClient } from '../client/client.ts';
import type { SchemaChecks } from '../control/parse.ts';
import type { HeavyLane } from '../http/heavy-lane.ts';
import { createMcpHandler } from './library.ts';
import { mcpServers } from './server.ts';

/** Responds to one request, without a stream that outlives it. */
export const respondToMcp = (
  message: Request,
  client: ControlsClient,
  checks: SchemaChecks,
  lane: HeavyLane,
): Promise<Response> => createMcpHandler(mcpServers(client, checks, lane), { maxSubscriptions: 0 }).fetch(message);
