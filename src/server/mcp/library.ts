// biome-ignore-all lint/performance/noBarrelFile: the bundle has one file for all of it, which is loaded on first use
/** What is used of the library for MCP. */
export {
  createMcpHandler,
  type McpServerFactory,
  ProtocolError,
  ProtocolErrorCode,
  Server,
} from '@modelcontextprotocol/server';
export { serveStdio } from '@modelcontextprotocol/server/stdio';
