import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { newId } from '../../src/ids.ts';
import { makeSignal, turn } from '../support/analysed-calls.ts';
import { minute, type SeededCall, seedCalls, walk } from '../support/seed.ts';
import { createWorld, expectFailure, type Loose, type World } from '../support/world.ts';

const OUTCOMES = ['resolved', 'unresolved', 'transferred', 'abandoned', 'no_contact'] as const;
const INTENTS = ['book', 'cancel', 'ask'];
let world: World;
let calls: string;
let ids: string[];

const seeded: SeededCall[] = Array.from({ length: 60 }, (_, at) => ({
  call: {
    providerCallId: `call-${at}`,
    version: 1 + (at % 3),
    // Three calls share each minute, and two have no time at all.
    startedAt: at < 2 ? null : minute(Math.floor(at / 3)),
    callerNumber: at % 10 === 0 ? '+15550100' : null,
    ...(at === 59 ? { traceIds: ['4bf92f3577b34da6a3ce929d0e0e4736', 'a b'] } : {}),
  },
  analysis: {
    outcome: OUTCOMES[at % 5] ?? 'resolved',
    requests: [{ turn: 1, text: `${INTENTS[at % 3]} something` }],
    objective: `${INTENTS[at % 3]} something`,
    signals: at % 4 === 0 ? [makeSignal({ code: 'tool_failed' })] : [],
    counts: { turns: 2, callerTurns: 1, agentTurns: 1, toolFailures: at % 4 === 0 ? 1 : 0, frictions: 0 },
    claims: at === 5 ? [{ turn: 0, text: 'booked', kind: 'booked', backedBy: null, verdict: 'unbacked' as const }] : [],
  },
}));

beforeAll(async () => {
  world = await createWorld();
  calls = `/v1/agents/${world.agentId}/calls`;
  ids = await seedCalls(world, world.agentId, [
    ...seeded,
    { call: { providerCallId: 'waiting', startedAt: minute(500) }, analysis: null },
  ]);
});
afterAll(() => world.close());

const providerIds = (rows: { providerCallId: string }[]) => rows.map((row) => row.providerCallId).toSorted();
const expected = (keep: (at: number) => boolean) =>
  seeded.flatMap((_, at) => (keep(at) ? [`call-${at}`] : [])).toSorted();

describe('the list of calls', () => {
  test('shows analysed calls newest first, those without a start time last, each once', async () => {
    const rows = await walk(world, calls, 7);
    expect(providerIds(rows)).toEqual(expected(() => true));
    expect(new Set(rows.map((row) => row.id)).size).toBe(60);
    const starts = rows.map((row) => row.startedAt);
    expect(starts.slice(58)).toEqual([null, null]);
    expect(starts.slice(0, 58)).toEqual(starts.slice(0, 58).toSorted().toReversed());
  });

  test('a page holds 25 by default and says whether more follow', async () => {
    const first = await world.get(calls);
    expect([first.body.object, first.body.data.length, first.body.hasMore]).toEqual(['list', 25, true]);
    const all = await world.get(`${calls}?limit=60`);
    expect([all.body.data.length, all.body.hasMore, all.body.nextCursor]).toEqual([60, false, null]);
  });

  test('a walk while calls arrive shows each call that was there at its start exactly once', async () => {
    const own = await world.makeAgent();
    await seedCalls(world, own, seeded);
    let made = 0;
    const rows = await walk(world, `/v1/agents/${own}/calls`, 9, async () => {
      made += 1;
      await seedCalls(world, own, [
        { call: { providerCallId: `newer-${made}`, startedAt: minute(1000 + made) }, analysis: {} },
        { call: { providerCallId: `older-${made}`, startedAt: minute(-1000 - made) }, analysis: {} },
        { call: { providerCallId: `middle-${made}`, startedAt: minute(9) }, analysis: {} },
      ]);
    });
    const shown = rows.map((row) => row.providerCallId).filter((id: string) => id.startsWith('call-'));
    expect(shown.toSorted()).toEqual(expected(() => true));
    expect(new Set(rows.map((row) => row.id)).size).toBe(rows.length);
  });

  test('a cursor goes on although the call that it points at is gone', async () => {
    const own = await world.makeAgent();
    await seedCalls(world, own, seeded.slice(0, 12));
    const rows = await walk(world, `/v1/agents/${own}/calls`, 4, async () => {});
    const first = await world.get(`/v1/agents/${own}/calls?limit=4`);
    await sql`delete from calls where id = ${first.body.data[3].id}`.execute(world.database.em().getKysely());
    const second = await world.get(`/v1/agents/${own}/calls?limit=4&cursor=${first.body.nextCursor}`);
    expect(second.body.data.map((row: { id: string }) => row.id)).toEqual(rows.slice(4, 8).map((row) => row.id));
  });
});

describe('filters of calls', () => {
  let issueId: string;
  beforeAll(async () => {
    const issues = await world.get(`/v1/agents/${world.agentId}/issues?status=discovered`);
    issueId = issues.body.data.find((issue: { code: string }) => issue.code === 'tool_failed').id;
  });

  test.each([
    ['outcome', 'outcome=abandoned', (at: number) => at % 5 === 3],
    ['version', 'version=2', (at: number) => at % 3 === 1],
    ['id at the platform', 'providerCallId=call-7', (at: number) => at === 7],
    ['signal', 'signal=tool_failed', (at: number) => at % 4 === 0],
    ['intent', 'intent=cancel', (at: number) => at % 3 === 1],
    ['signal and outcome', 'signal=tool_failed&outcome=resolved', (at: number) => at % 20 === 0],
    ['signal, version and intent', 'signal=tool_failed&version=1&intent=book', (at: number) => at % 12 === 0],
    ['intent and version that never meet', 'intent=book&version=2', () => false],
    ['a code that nobody has', 'signal=monologue', () => false],
    ['a start time', `startedFrom=${minute(15)}`, (at: number) => at >= 45],
    ['an end before it', `startedBefore=${minute(1)}`, (at: number) => at === 2],
    ['a window', `startedFrom=${minute(3)}&startedBefore=${minute(5)}`, (at: number) => at >= 9 && at < 15],
    ['a window of nothing', `startedFrom=${minute(3)}&startedBefore=${minute(3)}`, () => false],
    ['a time in another zone', 'startedFrom=2026-03-10T11:15:00%2B01:00', (at: number) => at >= 45],
    ['the first of all times', 'startedFrom=0001-01-01T00:00:00Z', (at: number) => at >= 2],
  ])('%s', async (_name, query, keep) => {
    const rows = await walk(world, `${calls}?${query}`, 4);
    expect(providerIds(rows)).toEqual(expected(keep));
  });

  test('an issue, alone and with every other filter', async () => {
    expect(providerIds(await walk(world, `${calls}?issueId=${issueId}`, 4))).toEqual(expected((at) => at % 4 === 0));
    const both = `${calls}?issueId=${issueId.toUpperCase()}&signal=tool_failed&intent=book&version=1&outcome=resolved&startedFrom=${minute(0)}`;
    expect(providerIds(await walk(world, both, 1))).toEqual(expected((at) => at > 1 && at % 60 === 0));
  });

  test('an issue that nobody can see matches nothing, whether it exists or not', async () => {
    for (const id of [newId(), issueId]) {
      const own = await world.makeAgent();
      const answer = await world.get(`/v1/agents/${own}/calls?issueId=${id}`);
      expect([answer.status, answer.body.data]).toEqual([200, []]);
    }
  });

  test.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=1e1', 'limit'],
    ['limit=%2B1', 'limit'],
    ['limit=01', 'limit'],
    ['limit=1.0', 'limit'],
    ['limit=', 'limit'],
    ['limit=1&limit=1', 'limit'],
    ['limit=%EF%BC%91', 'limit'],
    ['version=-1', 'version'],
    ['version=99999999999', 'version'],
    ['outcome=RESOLVED', 'outcome'],
    ['outcome=resolved,abandoned', 'outcome'],
    ['outcome=', 'outcome'],
    ['signal=', 'signal'],
    [`signal=${'x'.repeat(201)}`, 'signal'],
    ['signal=a%00b', 'signal'],
    ['issueId=1', 'issueId'],
    ['startedFrom=2026-03-10', 'startedFrom'],
    ['startedFrom=2026-03-10T10:00:00', 'startedFrom'],
    ['startedFrom=2026-03-10T10:00Z', 'startedFrom'],
    ['startedFrom=2026-02-29T10:00:00Z', 'startedFrom'],
    ['startedFrom=2026-03-10T24:00:00Z', 'startedFrom'],
    ['startedFrom=2026-03-10T10:00:60Z', 'startedFrom'],
    ['startedFrom=2026-03-10T10:00:00.1234Z', 'startedFrom'],
    ['startedFrom=2026-03-10T10:00:00%2B25:00', 'startedFrom'],
    ['startedFrom=0000-01-01T00:00:00Z', 'startedFrom'],
    ['startedFrom=0001-01-01T00:00:00%2B01:00', 'startedFrom'],
    ['startedFrom=+012026-01-01T00:00:00Z', 'startedFrom'],
    ['startedFrom=2026-03-10T10:00:00+01:00', 'startedFrom'],
    [`startedFrom=${minute(2)}&startedBefore=${minute(1)}`, 'startedFrom'],
    ['colour=red', 'colour'],
    ['__proto__=1', '__proto__'],
    ['constructor=1', 'constructor'],
    ['Limit=1', 'Limit'],
    ['outcome=%E0%A4%A', 'outcome'],
  ])('%s is refused and %s is named', async (query, param) => {
    expectFailure(await world.get(`${calls}?${query}`), 400, 'invalid_parameter', param);
  });
});

describe('the traces of a call', () => {
  const traces = async (at: number) => (await world.get(`${calls}/${ids[at]}`)).body.traces;

  test('are named, and lead into the viewer that the operator names', async () => {
    expect(await traces(58)).toEqual([]);
    expect((await traces(59))[0]).toEqual({ id: '4bf92f3577b34da6a3ce929d0e0e4736', url: null });
    world.services.traceUrl = 'https://traces.example/t/{traceId}?of={traceId}';
    expect((await traces(59)).map(({ url }: { url: string }) => url)).toEqual([
      'https://traces.example/t/4bf92f3577b34da6a3ce929d0e0e4736?of=4bf92f3577b34da6a3ce929d0e0e4736',
      'https://traces.example/t/a%20b?of=a%20b',
    ]);
  });

  test.each(['https://traces.example/', 'javascript:{traceId}', 'https://traces.example/ {traceId}'])(
    'the server does not start with %j as their address',
    (address) => {
      const needed = { DATABASE_URL: 'postgres://db/earshot', EARSHOT_SECRET: 's'.repeat(32) };
      expect(() => readConfig({ ...needed, EARSHOT_TRACE_URL: address })).toThrow(/EARSHOT_TRACE_URL: must be/);
    },
  );
});

describe('cursors', () => {
  test('go with their list, their filters, their agent and their workspace, and cannot be made up', async () => {
    const { nextCursor } = (await world.get(`${calls}?limit=2&version=1`)).body;
    expect((await world.get(`${calls}?limit=5&version=1&cursor=${nextCursor}`)).status).toBe(200);
    const refused = async (url: string, as?: string) =>
      expectFailure(await world.get(url, as), 400, 'invalid_cursor', 'cursor');
    await refused(`${calls}?cursor=${nextCursor}`);
    await refused(`${calls}?version=2&cursor=${nextCursor}`);
    await refused(`${calls}?version=1&outcome=resolved&cursor=${nextCursor}`);
    await refused(`/v1/agents/${world.agentId}/issues?cursor=${nextCursor}`);
    await refused(`/v1/agents/${await world.makeAgent()}/calls?version=1&cursor=${nextCursor}`);
    await refused(`${calls}?version=1&cursor=`);
    await refused(`${calls}?version=1&cursor=x`);
    for (const at of [0, 5, 21, 22, 30, nextCursor.length - 1]) {
      const other = nextCursor[at] === 'A' ? 'B' : 'A';
      await refused(`${calls}?version=1&cursor=${nextCursor.slice(0, at)}${other}${nextCursor.slice(at + 1)}`);
    }
    await refused(`${calls}?version=1&cursor=${nextCursor.slice(0, -1)}`);
    await refused(`${calls}?version=1&cursor=${nextCursor}=`);
    await refused(`${calls}?version=1&cursor=${nextCursor}A`);
    expectFailure(
      await world.get(`${calls}?version=1&cursor=${nextCursor}&cursor=${nextCursor}`),
      400,
      'invalid_parameter',
      'cursor',
    );
  });

  test('of a shared demo agent stay with the workspace that got them', async () => {
    const foreign = await world.makeWorkspace();
    const demo = await world.makeAgent({ readOnly: true });
    await seedCalls(world, demo, seeded.slice(0, 5));
    const { nextCursor } = (await world.get(`/v1/agents/${demo}/calls?limit=2`)).body;
    expect((await world.get(`/v1/agents/${demo}/calls?cursor=${nextCursor}`)).status).toBe(200);
    const theirs = await world.makeKey({ workspaceId: foreign.workspaceId });
    expectFailure(
      await world.get(`/v1/agents/${demo}/calls?cursor=${nextCursor}`, theirs),
      400,
      'invalid_cursor',
      'cursor',
    );
  });
});

describe('one call', () => {
  test('has its transcript, and what backs each claim', async () => {
    const { body } = await world.get(`${calls}/${ids[5]}`);
    expect(body.transcript).toEqual(
      [turn(0, 'agent', 'Hello, how can I help?'), turn(1, 'caller', 'I want to book a table for two.')].map(
        ({ index, role, text, startMs, endMs, nodeId, toolCall, toolResult }) => ({
          index,
          role,
          text,
          wordsMissing: false,
          keys: null,
          startMs,
          endMs,
          nodeId,
          toolCall,
          toolResult,
        }),
      ),
    );
    expect(body.claims).toEqual([{ turn: 0, text: 'booked', kind: 'booked', backedBy: null, verdict: 'unbacked' }]);
    expect(body.intent).toEqual({ slug: 'ask', label: 'ask' });
    expect(body.callerPersona).toEqual({ slug: 'plain', label: 'Plain' });
  });

  test('shows keys, turns whose words are missing, and what was read of the results of tools', async () => {
    const result = { id: null, name: 'book', ok: true, okSource: 'body' as const, body: {}, latencyMs: null };
    const readings = [
      { turn: 2, ok: false, refusal: false },
      { turn: 3, ok: true, refusal: true },
      { turn: 4, ok: null, refusal: false },
    ];
    const turns = [
      { ...turn(0, 'other', ''), dtmf: '2' },
      { ...turn(1, 'caller', ''), wordsMissing: true as const },
      ...[2, 3, 4, 5].map((index) => ({ ...turn(index, 'tool', ''), toolResult: result })),
    ];
    const [id] = await seedCalls(world, world.agentId, [
      { call: { providerCallId: 'third-states', turns }, analysis: { toolResults: readings } },
    ]);
    const { transcript } = (await world.get(`${calls}/${id}`)).body;
    expect(transcript[0]).toMatchObject({ keys: '2', wordsMissing: false });
    expect(transcript[1]).toMatchObject({ keys: null, wordsMissing: true });
    expect(transcript.slice(2).map((one: { toolResult: object }) => one.toolResult)).toMatchObject([
      { ok: false, verdict: 'failed' },
      { ok: true, verdict: 'refused' },
      { ok: null, verdict: 'unknown' },
      { ok: true, verdict: 'ok' },
    ]);
  });

  test('of many turns is read by pages, which together are the whole', async () => {
    const turns = Array.from({ length: 450 }, (_, at) => turn(at, at % 2 === 0 ? 'agent' : 'caller', `Words ${at}.`));
    const claims = [{ turn: 401, text: 'booked', kind: 'booked', backedBy: null, verdict: 'unbacked' as const }];
    const [id] = await seedCalls(world, world.agentId, [
      { call: { providerCallId: 'many-turns', startedAt: minute(-5), turns }, analysis: { claims } },
    ]);
    const whole = (await world.get(`${calls}/${id}`)).body;
    expect(whole).not.toHaveProperty('turnPage');
    expect(whole.transcript).toHaveLength(450);
    const found: Loose[] = [];
    const pages: Loose[] = [];
    for (let next: number | null = 0; next !== null; ) {
      const { transcript, turnPage, ...rest }: Loose = (await world.get(`${calls}/${id}?turnsAfter=${next}`)).body;
      expect({ ...rest, transcript: whole.transcript }).toEqual(whole);
      found.push(...transcript);
      pages.push(turnPage);
      next = turnPage.next;
    }
    expect(found).toEqual(whole.transcript);
    expect(pages.map(({ next, turns: of }) => [next, of])).toEqual([
      [200, 450],
      [400, 450],
      [null, 450],
    ]);
    const beyond = (await world.get(`${calls}/${id}?turnsAfter=450`)).body;
    expect([beyond.transcript, beyond.turnPage]).toEqual([[], { turns: 450, next: null }]);
    expectFailure(await world.get(`${calls}/${id}?turnsAfter=-1`), 400, 'invalid_parameter', 'turnsAfter');
    const short = (await world.get(`${calls}/${ids[5]}?turnsAfter=1`)).body;
    expect([short.transcript.length, short.turnPage]).toEqual([1, { turns: 2, next: null }]);
  });

  test('numbers repeat callers', async () => {
    const { body } = await world.get(`${calls}/${ids[50]}`);
    expect(body.caller).toEqual({ kind: 'repeat', nth: 5, of: 6 });
  });

  test('that waits has no resource yet, and null signals', async () => {
    expectFailure(await world.get(`${calls}/${ids[60]}`), 404, 'call_not_found');
    const { body } = await world.get(`${calls}/${ids[60]}/signals`);
    expect(body).toEqual({ object: 'call_signals', callId: ids[60], detected: null, observations: null });
  });

  test('says what was noticed, with the words, and that a cause is not established', async () => {
    const { body } = await world.get(`${calls}/${ids[4]}/signals`);
    expect(body.detected).toHaveLength(1);
    expect(body.detected[0]).toMatchObject({
      code: 'tool_failed',
      evidenceQuote: 'book a table',
      cause: { code: 'not_established', label: 'Cause not established.', detail: null },
    });
    expect((await world.get(`${calls}/${ids[5]}/signals`)).body.detected).toEqual([]);
  });

  test('of another agent is not found', async () => {
    const own = await world.makeAgent();
    expectFailure(await world.get(`/v1/agents/${own}/calls/${ids[0]}`), 404, 'call_not_found');
    expectFailure(await world.get(`/v1/agents/${own}/calls/${ids[0]}/signals`), 404, 'call_not_found');
  });
});

describe('a filter line', () => {
  let agentId: string;
  let callIds: string[];
  const HOLDERS = ['gold', 'silver', 'gold', 'Gold', 'bronze'];
  const SAID = ['Cancel my plan', 'I want a plan, cancel my order', '解約したいです', 'Kündigung bitte', 'Hello'];

  beforeAll(async () => {
    agentId = await world.makeAgent();
    const said = SAID.map((text, at): SeededCall => {
      const turns = [turn(0, 'agent', 'What can I do?'), turn(1, 'caller', `${text} please.`)];
      const metadata = { tier: HOLDERS[at] ?? '', amount: 10 * at, due: `2026-1${at % 3}-01` };
      return {
        call: {
          providerCallId: `call-${at}`,
          version: 1 + (at % 2),
          startedAt: minute(at),
          turns,
          metadata,
          durationMs: 60_000 * at,
        },
        analysis: {
          outcome: at < 3 ? 'unresolved' : 'resolved',
          requests: [{ turn: 1, text: at < 2 ? 'cancel something' : 'ask something' }],
          signals: at === 1 ? [makeSignal({ code: 'tool_failed' })] : [],
          responseTimes: { p50Ms: 1_000 * at, p90Ms: 2_000 * at, answers: 3 },
        } as SeededCall['analysis'],
      };
    });
    callIds = await seedCalls(world, agentId, said);
  });

  const ask = (filter: string) => world.get(`/v1/agents/${agentId}/calls?filter=${encodeURIComponent(filter)}`);
  const found = async (filter: string) => {
    const { status, body } = await ask(filter);
    if (status !== 200) throw new Error(JSON.stringify(body));
    return body.data.map((row: { providerCallId: string }) => Number(row.providerCallId.slice(5)));
  };

  test.each([
    ['said:"cancel my plan"', [0]],
    ['cancel plan', [1, 0]],
    ['caller:cancel -agent:cancel', [1, 0]],
    ['agent:cancel', []],
    ['解約', [2]],
    ['künd*', [3]],
    ['tier:gold', [3, 2, 0]],
    ['tier:gold,silver', [3, 2, 1, 0]],
    ['-tier:gold', [4, 1]],
    ['tier:* amount:>=20', [4, 3, 2]],
    ['due:<2026-11-01', [3, 0]],
    ['outcome:unresolved tier:gold', [2, 0]],
    ['(tier:bronze OR said:order) version:2', [1]],
    ['latency:>2', [4, 3]],
    ['duration:<=2m slow:>1s', [2, 1]],
    ['signal:tool_failed', [1]],
    ['-signal:tool_failed cancel', [0]],
    ['id:call-2', [2]],
    [`after:${minute(1)} before:${minute(3)}`, [2, 1]],
    ['cost:>900', []],
    ['-cost:>900 hello', [4]],
    ['tier:none OR direction:inbound version:2', [3, 1]],
  ])('finds calls: %s', async (filter, expectedCalls) => {
    expect(await found(filter)).toEqual(expectedCalls);
  });

  test('combines with the other filters, page by page, and shows where the words stand', async () => {
    const base = `/v1/agents/${agentId}/calls?outcome=unresolved&filter=cancel`;
    const rows = await walk(world, base, 1);
    expect(rows.map(({ providerCallId, found: places }) => [providerCallId, places])).toEqual([
      ['call-1', [{ turn: 1, text: 'I want a plan, cancel my order please.' }]],
      ['call-0', [{ turn: 1, text: 'Cancel my plan please.' }]],
    ]);
    expect((await world.get(`/v1/agents/${agentId}/calls?limit=1`)).body.data[0]).not.toHaveProperty('found');
  });

  test('says what is wrong with it, and where', async () => {
    const failure = await ask('outcome:resolved teir:gold');
    expectFailure(failure, 400, 'invalid_parameter', 'filter');
    expect(failure.body.error).toMatchObject({
      param: 'filter',
      message: expect.stringMatching(/character 18: .*mean tier\?/),
    });
  });

  test('finds nothing of another agent, and nothing of another workspace', async () => {
    const own = await world.makeAgent();
    const { body } = await world.get(`/v1/agents/${own}/calls?filter=cancel`);
    expect(body.data).toEqual([]);
    const { rows } = await sql<{ ids: string[] }>`
      select calls_saying(array[${agentId}]::uuid[], 'cancel'::tsquery, 10) as ids`.execute(
      world.database.within(newId()).getKysely(),
    );
    expect(rows).toEqual([{ ids: [] }]);
  });

  test('finds calls by the tags that people and programs give them', async () => {
    const url = `/v1/agents/${agentId}/calls/${callIds[4]}/tags`;
    const put = (tags: string[]) => world.ask('PUT', url, { as: world.writeKey, body: { tags } });
    expect((await put(['VIP', 'follow up', 'vip'])).body.tags).toEqual(['follow up', 'vip']);
    expect(await found('tag:Vip -tag:done')).toEqual([4]);
    expect((await put(['done'])).body.tags).toEqual(['done']);
    expect(await found('tag:vip OR tag:"follow up"')).toEqual([]);
    expect((await world.get(`/v1/agents/${agentId}/calls/${callIds[4]}`)).body.tags).toEqual(['done']);
    expectFailure(await put(['']), 400, 'invalid_parameter', 'tags[0]');
    expect((await put([])).body.tags).toEqual([]);
  });

  test('stands on what was sent beside a call, which the call shows', async () => {
    const { body } = await world.get(`/v1/agents/${agentId}/calls/${callIds[0]}`);
    expect(body).toMatchObject({ metadata: { tier: 'gold', amount: 0, due: '2026-10-01' }, tags: [] });
  });
});
