/** A port whose connections lead to another one, which can be exchanged: the address of an engine that fails over. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface Forwarder {
  readonly port: number;
  /** New connections go there; the present ones end. */
  switchTo(port: number): void;
  /** The present connections stay open, and nothing passes them any more. */
  halfOpen(): void;
  /** Holds back the next reply with this text, and all that follow. @returns once it came, a function that lets them pass */
  holdFrom(text: string): Promise<() => void>;
  close(): void;
}

export async function startForwarder(first: number): Promise<Forwarder> {
  let target = first;
  const open = new Set<Socket>();
  let hold: { readonly text: string; readonly came: () => void } | undefined;
  let passes = Promise.resolve();
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
    socket.pipe(onward).on('data', (reply: Buffer) => {
      if (hold && reply.includes(hold.text)) hold.came();
      void passes.then(() => socket.write(reply));
    });
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
    holdFrom: (text) =>
      new Promise((held) => {
        const came = (): void => {
          hold = undefined;
          passes = new Promise((pass) => held(pass));
        };
        hold = { text, came };
      }),
    close: () => {
      server.close();
      endAll();
    },
  };
}
