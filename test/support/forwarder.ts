/** A port whose connections lead to another one, which can be exchanged: the address of an engine that fails over. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface Forwarder {
  readonly port: number;
  /** New connections go there; the present ones end. */
  switchTo(port: number): void;
  /** The present connections stay open, and nothing passes them any more. */
  halfOpen(): void;
  close(): void;
}

export async function startForwarder(first: number): Promise<Forwarder> {
  let target = first;
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    const onward = connect(target, '127.0.0.1');
    for (const each of [socket, onward]) {
      open.add(each);
      each.on('error', () => undefined);
      each.on('close', () => {
        open.delete(each);
        socket.destroy();
        onward.destroy();
      });
    }
    socket.pipe(onward).pipe(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endAll = (): void => {
    for (const socket of open) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    switchTo: (port) => {
      target = port;
      endAll();
    },
    halfOpen: () => {
      for (const socket of open) socket.unpipe().pause();
    },
    close: () => {
      server.close();
      endAll();
    },
  };
}
