import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A statement to lose the connection at; a COMMIT is named by what its transaction sent before it. */
export interface Cut {
  at: { test(text: string): boolean };
  /** `before`: PostgreSQL never gets it. `after`: PostgreSQL has carried it out, and its answer is lost. */
  side: 'before' | 'after';
  /** True: at the COMMIT of the transaction that sent such a statement. */
  commit: boolean;
}

type Kept = (text: string, within: 'transaction' | 'statement') => void;

/** A way to PostgreSQL that reads along, and can lose one connection at one statement. */
export interface PostgresLink {
  /** The address of the database, by this way. */
  url: string;
  /** @returns a promise for the moment at which it has cut. */
  cutAt(cut: Cut): Promise<void>;
  /** Tells each time what is about to be kept: all that a transaction sent, or a statement on its own that writes. */
  onKept(tell: Kept): void;
  close(): Promise<void>;
}

/** A statement that keeps something by itself; one that begins with "with" may. */
const WRITES = /^\s*(?:insert|update|delete|with)\b/i;
const FRAME_HEAD = 5;
const STARTUP_HEAD = 4;

/** @param databaseUrl of a PostgreSQL that is asked without TLS. */
export async function openPostgresLink(databaseUrl: string): Promise<PostgresLink> {
  const url = new URL(databaseUrl);
  const { hostname, port } = url;
  const sockets = new Set<Socket>();
  let armed: { cut: Cut; tell: () => void } | null = null;
  let kept: Kept = () => {};
  /** @param committed what the transaction sent, where the statement is its COMMIT. */
  const take = (text: string, committed: string | null) => {
    if (!armed) return null;
    const { cut, tell } = armed;
    if (!cut.at.test(cut.commit ? (committed ?? '') : text)) return null;
    armed = null;
    return { side: cut.side, tell };
  };

  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    const prepared = new Map<string, string>();
    let transaction: string | null = null;
    let losing: (() => void) | null = null;
    const end = () => {
      near.destroy();
      far.destroy();
    };
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', end);
      socket.on('close', () => {
        sockets.delete(socket);
        end();
      });
    }
    readFrames(near, 'client', (type, frame) => {
      const text = statementOf(type, frame, prepared);
      if (text !== null) {
        const isCommit = /^commit\b/i.test(text);
        if (isCommit && transaction !== null) kept(transaction, 'transaction');
        else if (transaction === null && WRITES.test(text)) kept(text, 'statement');
        const done = losing === null ? take(text, isCommit ? transaction : null) : null;
        if (done?.side === 'before') {
          end();
          done.tell();
          return;
        }
        if (done) losing = done.tell;
        if (/^(begin|start transaction)\b/i.test(text)) transaction = text;
        else if (isCommit || /^rollback\b/i.test(text)) transaction = null;
        else if (transaction !== null) transaction += text;
      }
      far.write(frame);
    });
    readFrames(far, 'server', (type, frame) => {
      if (losing === null) near.write(frame);
      else if (type === 'Z') {
        end();
        losing();
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    onKept(tell) {
      kept = tell;
    },
    cutAt: (cut) =>
      new Promise((resolve) => {
        armed = { cut, tell: resolve };
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** A named statement is parsed once a connection, and bound by its name after that. */
function statementOf(type: string, frame: Buffer, prepared: Map<string, string>): string | null {
  const [first = '', second = ''] =
    type !== '' && 'QPB'.includes(type) ? frame.toString('latin1', FRAME_HEAD).split('\0', 2) : [];
  if (type === 'Q') return first;
  if (type === 'B') return prepared.get(second) ?? null;
  if (type !== 'P') return null;
  prepared.set(first, second);
  return second;
}

/** The first frame of a client has no type. */
function readFrames(socket: Socket, from: 'client' | 'server', take: (type: string, frame: Buffer) => void): void {
  let isStartup = from === 'client';
  let held: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    for (;;) {
      if (held.length < (isStartup ? STARTUP_HEAD : FRAME_HEAD)) return;
      const length = isStartup ? held.readInt32BE(0) : 1 + held.readInt32BE(1);
      if (held.length < length) return;
      const frame = held.subarray(0, length);
      held = held.subarray(length);
      take(isStartup ? '' : String.fromCharCode(frame[0] ?? 0), frame);
      isStartup = false;
    }
  });
}
