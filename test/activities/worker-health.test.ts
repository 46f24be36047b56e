import { expect, test } from 'vitest';
import { serveHealth } from '../../activities/worker-health.ts';
import { lastingPort } from '../support/ports.ts';

test('a worker says that it lives, and whether it takes work or what it waits for', async () => {
  const address = `127.0.0.1:${await lastingPort()}`;
  let waits = ['The worker is starting.'];
  const health = await serveHealth(address, () => waits);
  const statusOf = async (path: string) => (await fetch(`http://${address}${path}`)).status;
  try {
    expect([await statusOf('/healthz'), await statusOf('/workz'), await statusOf('/')]).toEqual([200, 503, 404]);
    const answer = await fetch(`http://${address}/workz`);
    expect(await answer.json()).toEqual({ status: 'takes no work', waitsFor: waits });
    waits = [];
    expect(await statusOf('/workz')).toBe(200);
    await expect(serveHealth(address, () => [])).rejects.toThrow('EADDRINUSE');
  } finally {
    health.close();
  }
  await expect(statusOf('/healthz')).rejects.toThrow('fetch failed');
});
