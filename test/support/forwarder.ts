/** A port whose connections lead to another one, which can be exchanged: the address of an engine that fails over. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface Forwarder {
  readonly port: number;
  /** New connections go there; the present ones end. */
  switchTo(port: number): void;
  /** The present connections stay open, and nothing passes them any more. */
  halfOpen(): void;
  /** Acts before the next request with this text passes. @returns what that led to */
  atRequest<T>(text: string, act: () => T): Promise<Awaited<T>>;
  /** Holds back the next reply with this text, and all that follow. @returns once it came, a function that lets them pass */
  holdFrom(text: string): Promise<() => void>;
  close(): void;
}

export async function startForwarder(first: number): Promise<Forwarder> {
  let target = first;
  const open = new Set<Socket>();
  let hold: { readonly text: string; readonly came: () => void } | undefined;
  let passes = Promise.resolve();
  let awaited: { readonly text: string; readonly came: () => void } | undefined;
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
    socket.on('data', (request: Buffer) => {
      if (awaited && request.includes(awaited.text)) awaited.came();
    });
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
    atRequest: (text, act) =>
      new Promise((done) => {
        const came = (): void => {
          awaited = undefined;
          done(act() as Awaited<ReturnType<typeof act>>);
        };
        awaited = { text, came };
      }),
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
