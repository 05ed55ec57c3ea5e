/** Bytes over a socket, for what no HTTP client would send. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type Client, Reply } from './client.ts';

/** A socket that is connected to `http://127.0.0.1:4020`. */
export async function dial(base: string): Promise<Socket> {
  const { hostname, port } = new URL(base);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  return socket;
}

/** The head of a request with a key: `headOf(client, 'GET /v1/pets', 'Connection: close')`. */
export const headOf = ({ key }: Pick<Client, 'key'>, start: string, ...headers: readonly string[]): string =>
  [`${start} HTTP/1.1`, 'Host: localhost', `Authorization: Bearer ${key}`, ...headers, '', ''].join('\r\n');

/** A new pet with a key, and with its length. */
export const postOf = (client: Pick<Client, 'key'>, body: string, ...headers: readonly string[]): string =>
  headOf(client, 'POST /v1/pets', 'Content-Type: application/json', `Content-Length: ${body.length}`, ...headers) +
  body;

/** Sends bytes and reads until the server hangs up; ask for `Connection: close` where it would not. */
export async function exchangeBytes(base: string, bytes: string | Buffer): Promise<Reply[]> {
  const socket = await dial(base);
  socket.write(bytes);
  return readReplies(socket);
}

/** Every response on a socket until it ends. A reset after the response is no error here. */
export async function readReplies(socket: Socket): Promise<Reply[]> {
  const parts: Buffer[] = [];
  socket.on('data', (part: Buffer) => parts.push(part));
  socket.on('error', () => socket.destroy());
  // Not `once()` of Node, which rejects for an error.
  await new Promise<void>((resolve) => socket.once('close', () => resolve()));
  return split(Buffer.concat(parts).toString('latin1'));
}

/** Answers with `Content-Length`, or without a body. */
function split(text: string): Reply[] {
  const replies: Reply[] = [];
  let rest = text;
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) throw new Error(`no HTTP answer: ${JSON.stringify(rest.slice(0, 200))}`);
    const [line = '', ...fields] = rest.slice(0, end).split('\r\n');
    const raw = fields.flatMap((field) => [field.slice(0, field.indexOf(':')), field.slice(field.indexOf(':') + 2)]);
    const headers: Record<string, string> = {};
    for (let i = 0; i < raw.length; i += 2) headers[(raw[i] as string).toLowerCase()] = raw[i + 1] as string;
    const length = Number(headers['content-length'] ?? 0);
    const body = rest.slice(end + 4, end + 4 + length);
    replies.push(new Reply(Number(line.split(' ')[1]), headers, raw, Buffer.from(body, 'latin1').toString('utf8')));
    rest = rest.slice(end + 4 + length);
  }
  return replies;
}
