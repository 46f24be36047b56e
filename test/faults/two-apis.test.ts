import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiProcess, startApi } from '../support/api-process.ts';
import { createWorld, forgetBuckets, type World } from '../support/world.ts';

const CONNECTIONS = 8;
const BURST = 120;
const PER_SECOND = 10;

let world: World;
let apis: ApiProcess[];
beforeAll(async () => {
  world = await createWorld({ limited: true });
  apis = await Promise.all([startApi(world.database.url), startApi(world.database.url)]);
});
afterAll(async () => {
  await Promise.all((apis ?? []).map((api) => api.stop()));
  await world?.close();
});

/** Refused, or shut out because the same address was refused too often. */
const wasLetIn = ({ status }: Answered) => status !== 401 && status !== 429;
const api = (at: number): string => apis[at % apis.length]?.url ?? '';

interface Answered {
  sentMs: number;
  answeredMs: number;
  status: number;
}

async function ask(base: string, path: string, token: string, method = 'GET', body?: unknown): Promise<Answered> {
  const sentMs = performance.now();
  const answer = await fetch(`${base}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  await answer.arrayBuffer();
  return { sentMs, answeredMs: performance.now(), status: answer.status };
}

describe('two API processes on one database', () => {
  test('admit over eight connections exactly the burst and what flows in meanwhile', async () => {
    const key = await world.makeKey();
    await forgetBuckets(world.database);
    const answers: Answered[] = [];
    const endMs = performance.now() + 4_000;
    await Promise.all(
      Array.from({ length: CONNECTIONS }, async (_, at) => {
        while (performance.now() < endMs) answers.push(await ask(api(at), '/v1/me', key));
      }),
    );
    // Nothing flows over while the bucket is not full: empty at the end, it has let in all there was.
    let last = await ask(api(0), '/v1/me', key);
    for (; last.status === 200; last = await ask(api(1), '/v1/me', key)) answers.push(last);
    expect(last.status).toBe(429);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]));
    const admitted = answers.filter(({ status }) => status === 200).length;
    const firstSentMs = Math.min(...answers.map(({ sentMs }) => sentMs));
    const firstAnsweredMs = Math.min(...answers.map(({ answeredMs }) => answeredMs));
    const flow = (fromMs: number, toMs: number) => BURST + (PER_SECOND * (toMs - fromMs)) / 1000;
    expect(admitted).toBeLessThanOrEqual(flow(firstSentMs, last.answeredMs) + 1);
    expect(admitted).toBeGreaterThanOrEqual(flow(firstAnsweredMs, last.sentMs) - 1);
  });

  /** Keeps asking both processes while something is withdrawn. @returns answers to requests that began after its answer. */
  async function whileWithdrawing(token: string, path: string, withdraw: () => Promise<Answered>) {
    let isOver = false;
    const answers: Answered[] = [];
    const asking = [0, 1, 2].map(async (at) => {
      while (!isOver) {
        answers.push(await ask(api(at), path, token));
        await sleep(at);
      }
    });
    await sleep(20 + Math.random() * 30);
    const withdrawn = await withdraw();
    expect(withdrawn.status).toBe(200);
    const next = await ask(api(1), path, token);
    await sleep(30);
    isOver = true;
    await Promise.all(asking);
    expect(answers.some(({ status }) => status === 200)).toBe(true);
    return { next, later: answers.filter(({ sentMs }) => sentMs >= withdrawn.answeredMs) };
  }

  test('refuse a key that the other one made and revoked, from the very next request on', async () => {
    let later = 0;
    for (let round = 0; round < 12; round += 1) {
      await forgetBuckets(world.database);
      const token = await world.token();
      const made = await fetch(`${api(round)}/app/keys`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'short-lived', access: 'read' }),
      });
      const { id, key } = (await made.json()) as { id: string; key: string };
      const after = await whileWithdrawing(key, '/v1/me', () => ask(api(0), `/app/keys/${id}`, token, 'DELETE'));
      expect(wasLetIn(after.next)).toBe(false);
      expect(after.later.filter(wasLetIn)).toEqual([]);
      later += after.later.length;
    }
    expect(later).toBeGreaterThan(12);
  });

  test('refuse the token of a member whom the other one removed', async () => {
    for (let round = 0; round < 6; round += 1) {
      await forgetBuckets(world.database);
      const admin = await world.token();
      const member = await world.makeMember('member');
      const after = await whileWithdrawing(await world.token(member), '/app/me', () =>
        ask(api(0), `/app/members/${member.personId}`, admin, 'DELETE'),
      );
      expect(wasLetIn(after.next)).toBe(false);
      expect(after.later.filter(wasLetIn)).toEqual([]);
    }
  });
});
