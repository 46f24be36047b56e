import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { updateAgentSettings } from '../../../src/db/agents/write-agents.ts';
import { loadForAnalysis } from '../../../src/db/analysis/load-for-analysis.ts';
import { storeCalls } from '../../../src/db/calls/store-calls.ts';
import { deleteLabel, mayLabel, upsertLabel } from '../../../src/db/labels/signal-labels.ts';
import { readModelPolicy, resetModelCodes } from '../../../src/db/models/model-policy.ts';
import { keepReading, openModelReadings, queueModelReadings } from '../../../src/db/models/model-readings.ts';
import type { CallAnalysis } from '../../../src/domain/signals/call-analysis.ts';
import type { ModelReading } from '../../../src/domain/signals/model-reading.ts';
import { AGENT } from '../../../src/domain/signals/places.ts';
import type { ModelReadingMode } from '../../../src/domain/vocabulary.ts';
import { newId } from '../../../src/ids.ts';
import { applyReading } from '../../../src/services/analysis/apply-reading.ts';
import { layAnew } from '../../../src/services/analysis/lay-anew.ts';
import { storeAnalyses } from '../../../src/services/analysis/store-analyses.ts';
import { recomputeIssues } from '../../../src/services/issues/recompute-issues.ts';
import { makeAgent, makeAnalysis, makeCall, type TestAgent, testVault, turn } from '../../support/analysed-calls.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { evidenceTables } from '../../support/evidence-tables.ts';

const CODE = 'question_unanswered';
const OTHER = 'other.wrong_hours_told';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const emOf = (agent: TestAgent) => database.within(agent.workspaceId);

const byRules: CallAnalysis = makeAnalysis({
  outcome: 'unresolved',
  outcomeConfidence: 0.4,
  badEndingScore: 0.6,
  rating: 2,
  observations: [
    {
      rule: CODE,
      kind: 'candidate',
      label: 'Question may be unanswered',
      turnIndex: 1,
      detail: 'Nothing takes it up.',
      basis: 'phrases',
      place: { kind: 'prompt', id: 'prompt', label: 'the prompt' },
    },
  ],
  visits: [{ place: AGENT, firstTurn: 0 }],
});

const reading: ModelReading = {
  objective: 'Ask for the hours',
  confirmed: [{ rule: CODE, turnIndex: 1, turn: 2, quote: 'Anything else', because: 'The hours were never told.' }],
  hypotheses: [],
  addressed: false,
  outcome: { outcome: 'abandoned', turn: 3, quote: 'Never mind', because: 'The caller left.' },
  problems: [{ code: OTHER, turn: 2, quote: 'Anything else', because: 'It is wrong.', place: AGENT }],
  dropped: 0,
};

/** An agent with calls that rules and a model have read. */
async function agentWith(calls: number, mode: ModelReadingMode): Promise<TestAgent & { callIds: string[] }> {
  const agent = await makeAgent(database.em());
  const em = emOf(agent);
  await updateAgentSettings(em, { ...agent, id: agent.agentId }, settings(mode));
  const { callIds } = await storeCalls(em, {
    ...agent,
    importId: null,
    vault: testVault,
    calls: Array.from({ length: calls }, (_, at) => ({
      payload: { at },
      call: makeCall({
        providerCallId: `call-${at}`,
        turns: [
          turn(0, 'agent', 'Hello.'),
          turn(1, 'caller', 'When do you open?'),
          turn(2, 'agent', 'Anything else?'),
          turn(3, 'caller', 'Never mind.'),
        ],
      }),
    })),
  });
  await readByRules(agent, callIds);
  await queueModelReadings(em, agent, callIds, 'a-model');
  for (const { callId, payloadDigest } of await loadForAnalysis(em, agent.agentId, callIds)) {
    await keepReading(em, callId, { payloadDigest, model: 'a-model' }, reading);
    await applyReading(em, agent.agentId, callId);
  }
  return { ...agent, callIds };
}

const settings = (modelReading: ModelReadingMode) => ({
  name: undefined,
  graceDays: undefined,
  boardSource: undefined,
  thresholds: undefined,
  phraseRules: undefined,
  modelReading,
});

async function readByRules(agent: TestAgent, callIds: readonly string[], analysis = byRules): Promise<void> {
  const analyses = (await loadForAnalysis(emOf(agent), agent.agentId, [...callIds])).map(
    ({ callId, payloadDigest }) => ({ callId, payloadDigest, analysis }),
  );
  await storeAnalyses(emOf(agent), { ...agent, analyses });
}

/** What the agent's reader does, without Temporal. */
async function layOpen({ agentId, workspaceId }: TestAgent): Promise<number> {
  const em = database.within(workspaceId);
  const ids = await openModelReadings(em, agentId, 1000, false);
  for (const callId of ids) await applyReading(em, agentId, callId);
  return ids.length;
}

async function change(agent: TestAgent, act: () => Promise<void>): Promise<void> {
  const before = await readModelPolicy(emOf(agent), agent.agentId);
  await act();
  await layAnew(emOf(agent), { id: agent.agentId, workspaceId: agent.workspaceId }, before);
}

const switchTo = (agent: TestAgent, mode: ModelReadingMode) =>
  change(agent, () => updateAgentSettings(emOf(agent), { ...agent, id: agent.agentId }, settings(mode)));

async function shown(agent: TestAgent) {
  const { rows } = await sql<{ signals: string[]; outcome: string; objective: string; observed: string[] }>`
    select c.outcome, c.objective,
      array(select s.code || ' ' || s.basis from call_signals s where s.call_id = c.id order by s.ordinal) as signals,
      array(select o ->> 'kind' || ' ' || (o ->> 'basis') from call_analyses a,
        jsonb_array_elements(a.analysis -> 'observations') o where a.call_id = c.id) as observed
    from calls c where c.agent_id = ${agent.agentId} order by c.provider_call_id`.execute(database.em().getKysely());
  return rows;
}

const DECIDED = {
  signals: [`${CODE} model`, `${OTHER} model`],
  outcome: 'abandoned',
  objective: 'Ask for the hours',
  observed: ['candidate phrases'],
};
const ASSISTED = {
  signals: [],
  outcome: 'unresolved',
  objective: 'Ask for the hours',
  observed: ['candidate phrases', 'candidate model'],
};
const RULES = { signals: [], outcome: 'unresolved', objective: byRules.objective, observed: ['candidate phrases'] };

const times = <T>(n: number, value: T): T[] => Array.from({ length: n }, () => value);

/** Every sum as kept by difference, and as a full count finds it. */
async function sums(agent: TestAgent) {
  await recomputeIssues(emOf(agent), agent.agentId, 'incremental');
  const kept = await evidenceTables(emOf(agent), agent.agentId);
  await recomputeIssues(emOf(agent), agent.agentId, 'full');
  return { kept, counted: await evidenceTables(emOf(agent), agent.agentId) };
}

describe('what a model may do on an agent’s calls', () => {
  test.each([
    ['decide', DECIDED],
    ['assist', ASSISTED],
    ['off', RULES],
  ] as const)('%s', async (mode, expected) => {
    const agent = await agentWith(2, mode);
    expect(await shown(agent)).toEqual([expected, expected]);
  });

  test('switching takes off and lays again what it had read, and every sum follows by difference', async () => {
    const agent = await agentWith(4, 'assist');
    const { kept: asAssist } = await sums(agent);
    for (const [mode, expected] of [
      ['decide', DECIDED],
      ['assist', ASSISTED],
      ['decide', DECIDED],
      ['off', RULES],
      ['assist', ASSISTED],
    ] as const) {
      await switchTo(agent, mode);
      expect(await layOpen(agent)).toBe(4);
      expect(await shown(agent)).toEqual(times(4, expected));
      const { kept, counted } = await sums(agent);
      expect(kept).toEqual(counted);
      if (mode === 'assist') expect(kept.place_rollups).toEqual(asAssist.place_rollups);
    }
    expect(await layOpen(agent)).toBe(0);
  });

  test('a reading again by rules neither loses nor doubles what the model found', async () => {
    const agent = await agentWith(3, 'decide');
    const { kept: before } = await sums(agent);
    await readByRules(agent, agent.callIds);
    expect((await shown(agent)).map(({ signals, outcome }) => ({ signals, outcome }))).toEqual(
      times(3, { signals: DECIDED.signals, outcome: 'abandoned' }),
    );
    expect((await sums(agent)).kept).toEqual(before);
  });

  test('what the rules no longer suspect is no signal any more, and an ending that they are sure of is theirs', async () => {
    const agent = await agentWith(1, 'decide');
    const surer = makeAnalysis({ ...byRules, observations: [], outcomeConfidence: 0.8 });
    await readByRules(agent, agent.callIds, surer);
    expect(await shown(agent)).toMatchObject([{ signals: [`${OTHER} model`], outcome: 'unresolved' }]);
  });

  test('a problem that no code names becomes an issue of its own, and never has a cause', async () => {
    const agent = await agentWith(30, 'decide');
    await recomputeIssues(emOf(agent), agent.agentId, 'full');
    const { rows } = await sql<Record<string, unknown>>`
      select title, section, cause_established, confirmed_at is not null as confirmed from issues
      where agent_id = ${agent.agentId} and code = ${OTHER}`.execute(database.em().getKysely());
    expect(rows).toEqual([
      { title: 'Wrong hours told', section: 'not_established', cause_established: false, confirmed: true },
    ]);
  });
});

describe('a code that people find the model wrong on', () => {
  const label = (agent: TestAgent, callId: string, said: 'right' | 'wrong', code = CODE) =>
    change(agent, () =>
      upsertLabel(
        emOf(agent),
        { agentId: agent.agentId, callId, code, turnIndex: 2 },
        { workspaceId: agent.workspaceId, personId: newId(), label: said, note: null },
      ),
    );
  const returned = async (agent: TestAgent) =>
    (await readModelPolicy(emOf(agent), agent.agentId)).returned.map(({ code }) => code);

  test('goes back to assist by itself with its reason, and the other codes go on', async () => {
    const agent = await agentWith(6, 'decide');
    for (const callId of agent.callIds.slice(0, 4)) await label(agent, callId, 'wrong');
    expect(await returned(agent)).toEqual([]);
    await label(agent, agent.callIds[4] ?? '', 'wrong');
    expect((await readModelPolicy(emOf(agent), agent.agentId)).returned).toEqual([
      { code: CODE, right: 0, wrong: 5, reason: expect.stringContaining('People found 0 of 5 right') },
    ]);
    expect(await layOpen(agent)).toBe(6);
    expect(await shown(agent)).toEqual(
      times(6, { ...DECIDED, signals: [`${OTHER} model`], observed: ASSISTED.observed }),
    );
    const { kept, counted } = await sums(agent);
    expect(kept).toEqual(counted);
  });

  test('decides again when people say otherwise, or reset it', async () => {
    const agent = await agentWith(5, 'decide');
    for (const callId of agent.callIds) await label(agent, callId, 'wrong');
    await layOpen(agent);
    const [first = '', second = '', third = ''] = agent.callIds;
    const name = { agentId: agent.agentId, callId: first, code: CODE, turnIndex: 2 };
    expect(await mayLabel(emOf(agent), name)).toBe(true);
    await label(agent, first, 'right');
    await label(agent, second, 'right');
    expect(await returned(agent)).toEqual([CODE]);
    await label(agent, third, 'right');
    expect(await returned(agent)).toEqual([]);
    expect(await layOpen(agent)).toBe(5);
    expect(await shown(agent)).toEqual(times(5, DECIDED));

    for (const callId of agent.callIds) await label(agent, callId, 'wrong');
    expect(await returned(agent)).toEqual([CODE]);
    await change(agent, () => resetModelCodes(emOf(agent), agent.agentId, [CODE]));
    expect(await returned(agent)).toEqual([]);
    await layOpen(agent);
    expect(await shown(agent)).toEqual(times(5, DECIDED));
  });

  test('counts what people say of the model alone, also of what it confirmed while it assists', async () => {
    const agent = await agentWith(6, 'assist');
    const [callId = ''] = agent.callIds;
    const elsewhere = { agentId: agent.agentId, callId, code: CODE, turnIndex: 3 };
    expect(await mayLabel(emOf(agent), elsewhere)).toBe(false);
    for (const one of agent.callIds) await label(agent, one, 'right');
    expect((await readModelPolicy(emOf(agent), agent.agentId)).labels.get(CODE)).toEqual({ right: 6, wrong: 0 });
    await change(agent, () => deleteLabel(emOf(agent), { ...elsewhere, turnIndex: 2 }));
    expect((await readModelPolicy(emOf(agent), agent.agentId)).labels.get(CODE)).toEqual({ right: 5, wrong: 0 });
  });
});
