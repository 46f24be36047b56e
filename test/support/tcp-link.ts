import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A way between two processes that a test can block: who is behind it does not notice, as with a lost network. */
export interface TcpLink {
  port: number;
  /** What was sent meanwhile goes through when it is open again. */
  setOpen(open: boolean): void;
  /** Ends every connection; new ones are taken. */
  cut(): void;
  /**
   * Loses every packet while it is on: nothing is closed and nothing answered. Who opened a connection before its end
   * never hears of it again, as behind a firewall that has forgotten it; later ones are as good as new.
   */
  setDropping(dropping: boolean): void;
  close(): Promise<void>;
}

/** @param portOf where connections lead, asked for each of them. */
export async function openTcpLink(portOf: () => number): Promise<TcpLink> {
  const pairs = new Set<readonly [Socket, Socket]>();
  const forgotten = new Set<readonly [Socket, Socket]>();
  let isOpen = true;
  let isDropping = false;
  const hold = (sockets: readonly Socket[]) => {
    for (const socket of sockets) {
      if (isOpen) socket.resume();
      else socket.pause();
    }
  };
  const forget = (pair: readonly [Socket, Socket]) => {
    pairs.delete(pair);
    forgotten.add(pair);
    for (const socket of pair) socket.unpipe().resume();
  };
  const server = createServer((near) => {
    const far = connect(portOf(), '127.0.0.1');
    const pair = [near, far] as const;
    pairs.add(pair);
    for (const [from, to] of [pair, [far, near] as const]) {
      from.pipe(to);
      from.on('error', () => forgotten.has(pair) || to.destroy());
      from.on('close', () => {
        pairs.delete(pair);
        if (!forgotten.has(pair)) to.destroy();
      });
    }
    hold(pair);
    if (isDropping) forget(pair);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = () => {
    for (const [near, far] of [...pairs, ...forgotten]) {
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
    setDropping(dropping) {
      isDropping = dropping;
      if (dropping) for (const pair of pairs) forget(pair);
      // The server hears of it when its own probes are answered again.
      else for (const [, far] of forgotten) far.destroy();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        cut();
      }),
  };
}
