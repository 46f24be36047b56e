import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** @returns whether a server could listen there now. */
export function isFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(true)));
  });
}

/** Waits a moment for a port: a server that was killed lets go of its own a little after it is gone. */
export async function becomesFree(port: number): Promise<void> {
  for (let tries = 0; tries < 20 && !(await isFree(port)); tries += 1) await sleep(50);
}

/** @returns a port that nobody listens on, chosen by the system. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen({ port: 0, host: '127.0.0.1' }, () => {
      const address = probe.address();
      probe.close(() =>
        address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
}

/** @returns the first free port from `wanted` on, else any. */
export async function freePortFrom(wanted: number, tries = 20): Promise<number> {
  for (let port = wanted; port < wanted + tries; port += 1) if (await isFree(port)) return port;
  return freePort();
}

/**
 * Listens on the first free port from `wanted` on, else on any. A port that was looked at before could be another's by
 * the time it is listened on.
 * @returns the port.
 */
export async function listenFrom(server: Server, wanted: number, tries = 20): Promise<number> {
  for (let port = wanted; port < wanted + tries; port += 1) if (await listensAt(server, port)) return port;
  await listensAt(server, 0);
  const address = server.address();
  if (address && typeof address === 'object') return address.port;
  throw new Error('no port');
}

/** @returns false where somebody else listens. */
function listensAt(server: Server, port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const refused = (error: NodeJS.ErrnoException) => {
      server.off('listening', listening);
      if (error.code === 'EADDRINUSE') resolve(false);
      else reject(error);
    };
    const listening = () => {
      server.off('error', refused);
      resolve(true);
    };
    server.once('error', refused).once('listening', listening).listen(port, '127.0.0.1');
  });
}

/** @returns whether somebody listens there now. */
export function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket
      .once('connect', () => resolve(true))
      .once('error', () => resolve(false))
      .once('close', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

/** @returns whether it is this process that listens there; null where the system does not tell. */
export function listensOn(pid: number, port: number): boolean | null {
  try {
    const wanted = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
    const sockets = new Set(
      readFileSync('/proc/net/tcp', 'utf8')
        .split('\n')
        .map((line) => line.trim().split(/\s+/))
        .filter((fields) => fields[1]?.endsWith(wanted) && fields[3] === LISTENING)
        .map((fields) => `socket:[${fields[9]}]`),
    );
    if (sockets.size === 0) return null;
    return readdirSync(`/proc/${pid}/fd`).some((handle) => sockets.has(linkOf(`/proc/${pid}/fd/${handle}`)));
  } catch {
    return null;
  }
}

/** State of a listening socket in the kernel's table. */
const LISTENING = '0A';

/** A handle may be closed between listing and reading. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
