import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { isAlive } from '../../packages/embedded/processes.js';
import { runningTemporal, startTemporal, stopTemporal } from '../../packages/embedded/temporal.ts';
import { findTemporalBinary } from '../../packages/embedded/temporal-binary.js';
import { SEARCH_ATTRIBUTES } from '../../src/temporal/search-attributes.ts';
import { lastingPort } from '../support/ports.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'earshot-temporal-'));
  mkdirSync(join(folder, 'logs'));
});
afterEach(async () => {
  await stopTemporal(folder);
  rmSync(folder, { recursive: true, force: true });
});

async function start(ports: { port?: number; uiPort?: number } = {}) {
  const binary = async () => findTemporalBinary()?.path ?? '';
  return startTemporal({
    dataFolder: folder,
    binary,
    port: await lastingPort(),
    uiPort: await lastingPort(),
    ...ports,
  });
}

async function withClient<T>(address: string, work: (client: Client) => Promise<T>): Promise<T> {
  const connection = await Connection.connect({ address });
  try {
    return await work(new Client({ connection }));
  } finally {
    await connection.close();
  }
}

const startWorkflow = (address: string, workflowId: string) =>
  withClient(address, (client) => client.workflow.start('waits', { workflowId, taskQueue: 'nobody' }));
const statusOf = (address: string, workflowId: string) =>
  withClient(address, async (client) => (await client.workflow.getHandle(workflowId).describe()).status.name);

describe.skipIf(!findTemporalBinary() || !inject('temporalAddress'))('the embedded Temporal server', () => {
  test('knows every search attribute and keeps closed workflows for 90 days', async () => {
    const { address, namespace } = await start();
    await withClient(address, async ({ connection }) => {
      const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
      expect(Object.keys(customAttributes ?? {})).toEqual(expect.arrayContaining(Object.keys(SEARCH_ATTRIBUTES)));
      const { config } = await connection.workflowService.describeNamespace({ namespace });
      expect(Number(config?.workflowExecutionRetentionTtl?.seconds)).toBe(90 * 86_400);
    });
  });

  test('shows its UI under names of this machine alone', async () => {
    const { uiUrl, stop } = await start();
    const under = (host: string, path = '/api/v1/namespaces') =>
      new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
        get(`${uiUrl}${path}`, { headers: { host } }, (answer) => {
          let text = '';
          answer.on('data', (part: Buffer) => (text += part.toString()));
          answer.on('end', () => resolve({ status: answer.statusCode, text }));
        }).on('error', reject);
      });
    const { host } = new URL(uiUrl);
    // The UI finds the server that it shows by itself, a moment after that answers.
    await expect
      .poll(() => under(host), { timeout: 60_000 })
      .toMatchObject({ status: 200, text: expect.stringContaining('namespaceInfo') });
    expect((await under(`localhost:${new URL(uiUrl).port}`, '/')).text).toContain('<!doctype html>');
    for (const name of ['evil.example', 'evil.example:8233', '127.0.0.1.evil.example', '192.0.2.1']) {
      expect(await under(name)).toEqual({ status: 403, text: expect.not.stringContaining('namespaceInfo') });
    }
    await stop();
    await expect(under(host)).rejects.toThrow('ECONNREFUSED');
  });

  test('is taken over when an earlier start left it running', async () => {
    const first = await start();
    const second = await start();
    expect(second).toMatchObject({ pid: first.pid, address: first.address, adopted: true });
  });

  test('goes on with its workflows after it was killed, on the same port', async () => {
    const first = await start();
    await startWorkflow(first.address, 'kept');
    process.kill(first.pid, 'SIGKILL');
    const second = await start();
    expect(second).toMatchObject({ address: first.address, adopted: false });
    expect(await statusOf(second.address, 'kept')).toBe('RUNNING');
  });

  test.runIf(process.platform === 'linux')('never runs twice on one file, even when its state was lost', async () => {
    const first = await start();
    rmSync(join(folder, 'temporal.json'));
    const second = await start();
    expect(second.pid).not.toBe(first.pid);
    expect(isAlive(first.pid)).toBe(false);
  });

  test('takes the next free ports when its own are taken', async () => {
    const [port, uiPort] = [await lastingPort(), await lastingPort()];
    const strangers = [port, uiPort].map((taken) => createServer().listen(taken, '127.0.0.1'));
    try {
      const running = await start({ port, uiPort });
      expect(running.address).not.toBe(`127.0.0.1:${port}`);
      expect(running.uiUrl).not.toBe(`http://127.0.0.1:${uiPort}`);
      expect(runningTemporal(folder)).toMatchObject({ uiPort: Number(new URL(running.uiUrl).port) });
    } finally {
      for (const stranger of strangers) stranger.close();
    }
  });

  test('has ended when stop returns', async () => {
    const running = await start();
    await running.stop();
    expect(isAlive(running.pid)).toBe(false);
  });
});
