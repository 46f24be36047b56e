import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createOutbound, type Outbound } from '../../src/outbound/outbound.ts';
import type { AccountPage, ListAccountQuery } from '../../src/platforms/port.ts';
import { ACCOUNTS, answerOf, type Held, iso } from '../support/account-speech.ts';
import { type ScriptedServer, startScriptedServer } from '../support/scripted-server.ts';

const FROM = -130;

/** One a minute, the newest first. */
const someCalls = (count: number): Held[] =>
  Array.from({ length: count }, (_, nth) => ({ id: `call_${nth}`, agent: 'agent_a', minute: -1 - nth }));

let outbound: Outbound;
let server: ScriptedServer;
beforeAll(() => {
  outbound = createOutbound({ allow: ['127.0.0.0/8'], trustedOrigins: [] });
});
afterAll(() => outbound.close());
beforeEach(async () => {
  server = await startScriptedServer();
});
afterEach(() => server.close());

describe.each(['retell', 'vapi', 'elevenlabs'] as const)('%s: calls of several agents', (platform) => {
  const speech = ACCOUNTS[platform];

  const hold = (held: readonly Held[], isDeaf = false) =>
    server.answerWith((request) => ({ json: answerOf(speech, request, held, isDeaf) }));
  const query = (over: Partial<ListAccountQuery> = {}): ListAccountQuery => ({
    providerAgentIds: ['agent_a', 'agent_b'],
    from: iso(FROM),
    to: iso(0),
    cursor: null,
    pageSize: 1_000,
    ...over,
  });
  const list = (over: Partial<ListAccountQuery> = {}) =>
    speech.open(outbound).listAccountCalls({ baseUrl: server.url, apiKey: 'key_test' }, query(over));
  async function walk(over: Partial<ListAccountQuery> = {}): Promise<AccountPage[]> {
    const pages: AccountPage[] = [];
    for (let cursor: string | null = null; pages.length === 0 || cursor !== null; ) {
      const page: AccountPage = await list({ ...over, cursor });
      pages.push(page);
      cursor = page.nextCursor;
      if (pages.length > 50) throw new Error('The list has no end.');
    }
    return pages;
  }
  const items = (pages: readonly AccountPage[]) => pages.flatMap((page) => page.items);
  const asked = () => server.requests.map((request) => speech.read(request)).filter((one) => one !== null);

  test('every call is met once over all pages, the newest first, and belongs to the agent that it names', async () => {
    const held = Array.from({ length: 23 }, (_, nth): Held => {
      // Some begin at the same moment, also where a page ends.
      return {
        id: `call_${String(nth).padStart(2, '0')}`,
        agent: nth % 3 === 0 ? 'agent_b' : 'agent_a',
        minute: -5 * Math.floor(nth / 2),
      };
    });
    hold(held);
    const met = items(await walk({ pageSize: 4 }));
    expect(met.map(({ providerCallId }) => providerCallId).toSorted()).toEqual(held.map(({ id }) => id).toSorted());
    const starts = met.map(({ startedAt }) => startedAt ?? '');
    expect(starts).toEqual(starts.toSorted().toReversed());
    const agents = new Map(met.map(({ providerCallId, providerAgentIds }) => [providerCallId, providerAgentIds]));
    expect(agents).toEqual(new Map(held.map(({ id, agent }) => [id, [agent]])));
  });

  test('each page says how far down the list has been read', async () => {
    hold(
      Array.from({ length: 6 }, (_, nth): Held => ({ id: `call_${nth}`, agent: 'agent_a', minute: -10 * (nth + 1) })),
    );
    const pages = await walk({ pageSize: 2 });
    const reached = pages.map(({ reachedAt }) => reachedAt).filter((time) => time !== null);
    expect(reached.slice(0, 3)).toEqual([iso(-20), iso(-40), iso(-60)]);
  });

  test('a page that ends with calls of no usable time says how far down its others reach', async () => {
    const odd = ['odd_1', 'odd_2'].map((id): Held => ({ id, agent: 'agent_a', minute: 'soon' }));
    hold([{ id: 'timed', agent: 'agent_a', minute: -0.5 }, ...odd]);
    const page = await list({ pageSize: 2 });
    expect(page.items.map(({ providerCallId }) => providerCallId)).toEqual(['timed', 'odd_1']);
    // Vapi's order is that of calls being made, which each of them has a time of.
    expect(page.reachedAt).toBe(iso(platform === 'vapi' ? -1 : -0.5));
    const last = await list({ pageSize: 2, cursor: page.nextCursor });
    expect(last.items.map(({ providerCallId }) => providerCallId)).toEqual(['odd_2']);
    expect(last.reachedAt).toBe(iso(platform === 'vapi' ? -1 : 0));
  });

  test('a call that goes on is listed as such, one that never connected has no start', async () => {
    hold([
      { id: 'talking', agent: 'agent_a', minute: -1, goesOn: true },
      { id: 'over', agent: 'agent_b', minute: -2 },
      { id: 'never', agent: 'agent_b', minute: null },
    ]);
    const met = new Map(
      items(await walk()).map(({ providerCallId, over, startedAt }) => [providerCallId, [over, startedAt]]),
    );
    expect(met).toEqual(
      new Map([
        ['talking', [false, iso(-1)]],
        ['over', [true, iso(-2)]],
        ['never', [true, null]],
      ]),
    );
  });

  test('an item that names no agent is nobody’s among several, and that of the only one that was asked for', async () => {
    hold([{ id: 'nameless', minute: -3 }], true);
    const owners = async (providerAgentIds: string[]) =>
      items(await walk({ providerAgentIds })).map((one) => one.providerAgentIds);
    expect(await owners(['agent_a', 'agent_b'])).toEqual([[]]);
    expect(await owners(['agent_a'])).toEqual([['agent_a']]);
  });

  test('one agent alone is asked for by its id, several without anybody else’s being taken for theirs', async () => {
    hold([
      { id: 'ours', agent: 'agent_a', minute: -4 },
      { id: 'foreign', agent: 'agent_z', minute: -5 },
    ]);
    await walk({ providerAgentIds: ['agent_a'] });
    expect(asked()[0]?.agents).toEqual(['agent_a']);
    const met = items(await walk());
    expect(asked().at(-1)?.agents).toEqual(platform === 'retell' ? ['agent_a', 'agent_b'] : []);
    expect(
      met.filter(({ providerAgentIds }) => providerAgentIds.includes('agent_z')).map((one) => one.providerCallId),
    ).toEqual(platform === 'retell' ? [] : ['foreign']);
    expect(met.find(({ providerCallId }) => providerCallId === 'ours')?.providerAgentIds).toEqual(['agent_a']);
  });

  test('a page of calls of agents that nobody imports is read on from', async () => {
    const foreign = Array.from(
      { length: 5 },
      (_, nth): Held => ({ id: `foreign_${nth}`, agent: 'agent_z', minute: -1 - nth }),
    );
    hold([...foreign, { id: 'ours', agent: 'agent_b', minute: -50 }]);
    const pages = await walk({ pageSize: 2 });
    const ours = items(pages).filter(({ providerAgentIds }) => providerAgentIds.includes('agent_b'));
    expect(ours.map(({ providerCallId }) => providerCallId)).toEqual(['ours']);
    expect(pages.some(({ stalled }) => stalled)).toBe(false);
  });

  test('no more is asked for at once than the platform gives', async () => {
    hold([]);
    await list({ pageSize: 50_000 });
    expect(asked()[0]?.limit).toBe(speech.largestPage);
  });

  test('429 carries how long to wait, also in the middle of a list', async () => {
    hold(someCalls(5));
    const { nextCursor } = await list({ pageSize: 2 });
    expect(nextCursor).not.toBeNull();
    server.answerWith(() => ({ status: 429, headers: { 'retry-after': '9' }, json: {} }));
    const limited = { kind: 'rate_limited', retryAfterMs: 9_000 };
    await expect(list({ pageSize: 2, cursor: nextCursor })).rejects.toMatchObject(limited);
    await expect(list()).rejects.toMatchObject(limited);
    server.answerWith(() => ({ status: 429, json: {} }));
    await expect(list()).rejects.toMatchObject({ kind: 'rate_limited', retryAfterMs: null });
  });

  test('a cursor that the platform takes no more is a refusal, and the list begins anew', async () => {
    const held = someCalls(3);
    hold(held);
    const { nextCursor } = await list({ pageSize: 2 });
    server.answerWith(() => ({ status: speech.expired, json: { message: 'expired' } }));
    await expect(list({ pageSize: 2, cursor: nextCursor })).rejects.toMatchObject({ kind: 'rejected' });
    hold(held);
    expect((await list({ pageSize: 2 })).items).toHaveLength(2);
  });

  test('a cursor of another kind is refused without a request', async () => {
    await expect(list({ cursor: 'abc' })).rejects.toMatchObject({ kind: 'rejected' });
    expect(server.requests).toEqual([]);
  });

  test.each([
    ['JSON that was cut', { text: '[{"items":[{"call_id":"a"' }],
    ['a web page', { text: '<!doctype html><title>Sign in</title>' }],
    ['an empty body', { text: '' }],
    ['JSON of another shape', { json: { results: 'none' } }],
    ['nothing at all', { json: null }],
  ])('%s in the middle of the list is a bad answer, and no end of it', async (_what, answer) => {
    hold(someCalls(5));
    const { nextCursor } = await list({ pageSize: 2 });
    server.answerWith(() => answer);
    await expect(list({ pageSize: 2, cursor: nextCursor })).rejects.toMatchObject({ kind: 'bad_answer' });
  });

  test('items that are none are left out, with those beside them read', async () => {
    const good = speech.item({ id: 'good', agent: 'agent_a', minute: -1 });
    server.answerWith(() => ({ json: speech.page([null, 7, 'x', [], {}, { agent_id: 'agent_a' }, good]) }));
    const page = await list();
    expect(page.items.map(({ providerCallId }) => providerCallId)).toEqual(['good']);
  });
});
