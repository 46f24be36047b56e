import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way between two processes that a test can block: who is behind it does not notice, as with a lost network. */
export interface TcpLink {
  port: number;
  /** What was sent meanwhile goes through when it is open again. */
  setOpen(open: boolean): void;
  /** Ends every connection; new ones are taken. */
  cut(): void;
  close(): Promise<void>;
}

/** @param portOf where connections lead, asked for each of them. */
export async function openTcpLink(portOf: () => number): Promise<TcpLink> {
  const pairs = new Set<readonly [Socket, Socket]>();
  let isOpen = true;
  const hold = (sockets: readonly Socket[]) => {
    for (const socket of sockets) {
      if (isOpen) socket.resume();
      else socket.pause();
    }
  };
  const server = createServer((near) => {
    const far = connect(portOf(), '127.0.0.1');
    const pair = [near, far] as const;
    pairs.add(pair);
    for (const [from, to] of [pair, [far, near] as const]) {
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        to.destroy();
        pairs.delete(pair);
      });
    }
    hold(pair);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = () => {
    for (const [near, far] of pairs) {
      near.destroy();
      far.destroy();
    }
  };
  return {
    port: (server.address() as AddressInfo).port,
    setOpen(open) {
      isOpen = open;
      for (const pair of pairs) hold(pair);
    },
    cut,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        cut();
      }),
  };
}
