import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { publishEvents } from '../../src/db/events/events.ts';
import { newId } from '../../src/ids.ts';
import { type ApiProcess, startApi } from '../support/api-process.ts';
import { createWorld, type World } from '../support/world.ts';

const EVENTS = 24_000;
/** Noted before memory is measured, so that what a process needs once is not taken for what events cost. */
const WARM_UP = 5_000;
const SLOW_READERS = 8;
const MORE_MEMORY_MB = 40;

/** A busy machine lets V8 grow its young space by tens of megabytes before it collects, which says nothing of what is held. */
const NO_LAZY_COLLECTION = { NODE_OPTIONS: '--max-semi-space-size=1' };

let world: World;
let api: ApiProcess;
beforeAll(async () => {
  world = await createWorld();
  // Code from the compile cache takes its memory later, amid what is measured.
  api = await startApi(world.database.url, { ...NO_LAZY_COLLECTION, NODE_DISABLE_COMPILE_CACHE: '1' });
});
afterAll(async () => {
  await api?.stop();
  await world?.close();
});

const note = (count: number) =>
  world.database.em().transactional((em) =>
    publishEvents(
      em,
      world.agentId,
      Array.from({ length: count }, () => ({ kind: 'import.progress' as const, ref: newId() })),
    ),
  );

/** Asks for the events and never takes any off the line. */
function neverRead(token: string): Socket {
  const { hostname, port } = new URL(api.url);
  const socket = connect(Number(port), hostname);
  socket.pause();
  socket.write(`GET /app/events HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${token}\r\n\r\n`);
  return socket;
}

function residentMb(): number {
  const pages = Number(readFileSync(`/proc/${api.child.pid}/statm`, 'utf8').split(' ')[1]);
  return (pages * 4096) / 1024 / 1024;
}

/** Counts the events of a stream that is read as fast as it comes: each once, in their order. */
async function countEvents(token: string, until: number, onReady: () => void): Promise<number> {
  const ended = new AbortController();
  const answer = await fetch(`${api.url}/app/events`, {
    headers: { authorization: `Bearer ${token}` },
    signal: ended.signal,
  });
  expect(answer.status).toBe(200);
  let seen = 0;
  let rest = '';
  for await (const chunk of answer.body ?? []) {
    const frames = (rest + Buffer.from(chunk).toString()).split('\n\n');
    rest = frames.pop() ?? '';
    for (const frame of frames) {
      if (frame.includes('event: ready')) onReady();
      else if (frame.startsWith('id: ')) {
        seen += 1;
        expect(frame).toMatch(new RegExp(`^id: ${seen}\n`));
      }
    }
    if (seen >= until) break;
  }
  ended.abort();
  return seen;
}

test.skipIf(process.platform !== 'linux')(
  'readers that take nothing cost no memory, whatever happens, and hold up nobody',
  async () => {
    const token = await world.token();
    const sockets: Socket[] = [];
    for (let at = 0; at < SLOW_READERS; at += 1) sockets.push(neverRead(token));
    const ready = Promise.withResolvers<void>();
    const counting = countEvents(await world.token(), EVENTS, () => ready.resolve());
    await ready.promise;
    await note(WARM_UP);
    const beforeMb = residentMb();
    let mostMb = 0;
    let slowestMs = 0;
    for (let noted = WARM_UP; noted < EVENTS; noted += 1_000) {
      await note(1_000);
      const sentMs = performance.now();
      const answer = await fetch(`${api.url}/v1/me`, { headers: { authorization: `Bearer ${world.readKey}` } });
      await answer.arrayBuffer();
      if (answer.status === 200) slowestMs = Math.max(slowestMs, performance.now() - sentMs);
      mostMb = Math.max(mostMb, residentMb());
    }
    expect(await counting).toBe(EVENTS);
    expect(mostMb - beforeMb).toBeLessThan(MORE_MEMORY_MB);
    expect(slowestMs).toBeLessThan(5_000);
    for (const socket of sockets) socket.destroy();
  },
);
