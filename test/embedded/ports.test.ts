import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { freePort, listenFrom, listensOn } from '../../packages/embedded/ports.ts';

test.runIf(process.platform === 'linux')('a port is told from the same port of another process', async () => {
  const port = await freePort();
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  const other = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 30_000)']);
  try {
    expect(listensOn(process.pid, port)).toBe(true);
    expect(listensOn(other.pid ?? -1, port)).toBe(false);
  } finally {
    other.kill();
    server.close();
  }
});

test('nothing is said about a port that nobody has, or a process that is gone', async () => {
  expect(listensOn(process.pid, await freePort())).toBeNull();
});

test('of servers that want one port at the same time, each gets one of its own', async () => {
  const wanted = await freePort();
  const servers = Array.from({ length: 10 }, () => createServer());
  const ports = await Promise.all(servers.map((server) => listenFrom(server, wanted)));
  expect(new Set(ports).size).toBe(10);
  expect(ports).toContain(wanted);
  for (const server of servers) server.close();
});
