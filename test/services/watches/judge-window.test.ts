import { MockActivityEnvironment } from '@temporalio/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ActivityDeps } from '../../../activities/deps.ts';
import { createAnalysisActivities, createModelActivities } from '../../../activities/index.ts';
import { removeOwnModel, saveOwnModel } from '../../../src/db/models/workspace-models.ts';
import { endBacktest, findBacktest, insertBacktest, moveBacktest } from '../../../src/db/watches/backtests.ts';
import { insertWatch, setWatchState } from '../../../src/db/watches/watches.ts';
import type { WatchForm } from '../../../src/domain/watches/watch.ts';
import { NO_MODELS } from '../../../src/models/registry.ts';
import { createOutbound } from '../../../src/outbound/outbound.ts';
import { judgeWindowOf, type WindowJudge, type WindowJudged } from '../../../src/services/watches/judge-window.ts';
import type { ModelAnswer } from '../../support/model-server.ts';
import { failingCall, type ModelWorld, openModelWorld } from '../../support/model-world.ts';
import { writtenWatch } from '../../support/watches.ts';

const SILENT = { log() {}, trace() {}, debug() {}, info() {}, warn() {}, error() {} };
const CARES: WatchForm = {
  scope: { kind: 'all_calls' },
  expectation: { kind: 'judged', text: 'The agent says that it is sorry.' },
  polarity: 'must',
};

let world: ModelWorld;
let key: { workspaceId: string; agentId: string; watchId: string; revision: number };
beforeAll(async () => {
  world = await openModelWorld();
});
afterAll(() => world.close());
beforeEach(() => {
  world.server.asked.splice(0);
});

const em = () => world.database.within(key.workspaceId);

/** A backtest of what only a model can judge, over calls that are analysed. */
async function begin(calls: string[], form = CARES): Promise<void> {
  const agent = await world.newAgent();
  await world.store(
    calls.map((name) => failingCall(name)),
    agent,
  );
  await world.rows(sql`
    update calls set state = 'analysed', caller_spoke = true where agent_id = ${agent.agentId} returning id`);
  const watchId = await insertWatch(world.database.within(agent.workspaceId), writtenWatch(agent, { form }));
  key = { ...agent, watchId, revision: 1 };
  await insertBacktest(em(), { ...key, createdBy: 'earshot' });
  await setWatchState(em(), watchId, 'backtesting');
}

const run = (activity: unknown): Promise<WindowJudged> =>
  new MockActivityEnvironment({ attempt: 1 }, { logger: SILENT }).run(activity as never, key as never);
const judge = (deps: ActivityDeps = world.deps) => run(createModelActivities(deps).judgeWindowByModel);
async function judgeAll(): Promise<WindowJudged> {
  let window = await judge();
  while (window.state === 'more') window = await judge();
  return window;
}
const says = (verdict: string, more: object): ModelAnswer => ({
  value: {
    verdicts: [{ criterion: 'expectation', verdict, turn: null, quote: null, because: 'It shows.', ...more }],
  },
});
const met = says('met', { turn: 4, quote: 'I am sorry' });
const verdicts = () => world.rows(sql`select held, turn, quote from watch_verdicts where watch_id = ${key.watchId}`);

describe('what only a model can judge', () => {
  test('is handed on by code, and judged call by call with evidence from the call', async () => {
    await begin(['a', 'b', 'c']);
    expect((await run(createAnalysisActivities(world.deps).judgeWindow)).state).toBe('model');
    world.server.answerWith((_, nth) => (nth === 2 ? says('not_met', {}) : met));
    expect(await judgeAll()).toMatchObject({ state: 'over', considered: 3, inScope: 3, flagged: 1 });
    expect(world.server.asked).toHaveLength(3);
    expect(world.server.asked[0]?.instructions).toContain('You judge a recorded phone call');
    expect(world.server.asked[0]?.material).toContain('The agent says that it is sorry.');
    expect((await verdicts()).filter(({ held }) => held)).toEqual([
      { held: true, turn: 4, quote: 'I am sorry' },
      { held: true, turn: 4, quote: 'I am sorry' },
    ]);
  });

  test('that must not happen is broken where it does', async () => {
    await begin(['d'], { ...CARES, polarity: 'must_not' });
    world.server.answerWith(() => met);
    expect(await judgeAll()).toMatchObject({ inScope: 1, flagged: 1 });
  });

  test('counts neither way where the model made its evidence up', async () => {
    await begin(['e', 'f', 'g']);
    world.server.answerWith((_, nth) => (nth === 1 ? says('met', { turn: 4, quote: 'never said' }) : met));
    expect(await judgeAll()).toMatchObject({ considered: 3, inScope: 2, flagged: 0 });
    expect((await findBacktest(em(), key))?.notComputable).toBe(1);
  });

  test('is judged by the model of the workspace where it has one, whose cost is no part of the allowance', async () => {
    await begin(['a']);
    const own = {
      protocol: 'openai',
      url: world.server.url,
      model: 'our-own',
      sealedKey: null,
      price: null,
    } as const;
    await saveOwnModel(em(), key.workspaceId, own);
    const receivers = createOutbound({ allow: [], trustedOrigins: [world.server.origin] });
    world.server.answerWith(() => met);
    // Another process than that which asked before the model was set.
    await judge({ ...world.deps, models: { ...world.deps.models }, receivers });
    await removeOwnModel(em(), key.workspaceId);
    await receivers.close();
    const paid = await world.rows(
      sql`select model, charged_nano_usd::int as charged, own_nano_usd is not null as own from model_usage
        where purpose = 'watch' and subject like ${`${key.watchId}%`}`,
    );
    expect(paid).toEqual([{ model: 'our-own', charged: 0, own: true }]);
  });

  test('asks about no call outside of its scope', async () => {
    await begin(['h'], { ...CARES, scope: { kind: 'caller_said', text: 'a parcel' } });
    expect(await judgeAll()).toMatchObject({ considered: 1, inScope: 0 });
    expect(world.server.asked).toHaveLength(0);
  });

  test('ends with the reason where the model answers nothing usable, or is not there', async () => {
    await begin(['i']);
    world.server.answerWith(() => ({ prose: 'It was fine.' }));
    await expect(judge()).rejects.toThrow('The judge gave no usable answer.');
    expect(await verdicts()).toEqual([]);
    await expect(judge({ ...world.deps, models: NO_MODELS })).rejects.toThrow('no judge model is configured');
  });
});

describe('a backtest that somebody steers while a window is judged', () => {
  /** One call a window, with what happens while it is judged. */
  const judgeWhile = (meanwhile: () => Promise<unknown>) => {
    const by: WindowJudge = {
      isModel: true,
      window: 1,
      inScopeAtMost: 10,
      consideredAtMost: 10,
      async judge(_em, _agentId, callIds, { watchId }) {
        await meanwhile();
        const verdict = { watchId, held: true, byOutcome: false, turn: 1, quote: 'Bye.', because: 'It was said.' };
        return new Map(callIds.map((callId) => [callId, { verdicts: [verdict], notComputable: [] }]));
      },
    };
    return judgeWindowOf(em(), key, by);
  };
  const nothing = () => Promise.resolve();
  const pause = () => moveBacktest(em(), key, ['queued', 'running'], 'paused');
  const goOn = () => moveBacktest(em(), key, ['paused'], 'queued');
  beforeEach(() => begin(['j', 'k', 'l']));

  test('keeps what it was on when it is paused, waits, and takes up after it', async () => {
    expect(await judgeWhile(pause)).toMatchObject({ state: 'paused', considered: 1, inScope: 1 });
    expect(await judgeWhile(nothing)).toMatchObject({ state: 'paused', considered: 1 });
    await goOn();
    expect(await judgeWhile(nothing)).toMatchObject({ state: 'more', considered: 2, inScope: 2 });
  });

  test('goes on when it was told to pause and to go on before the window ended', async () => {
    const both = async () => {
      await pause();
      await goOn();
    };
    expect(await judgeWhile(both)).toMatchObject({ state: 'more', considered: 1 });
    expect(await judgeWhile(nothing)).toMatchObject({ state: 'more', considered: 2 });
  });

  test('counts a window once where two tries of it overlap', async () => {
    const other = () => judgeWhile(nothing);
    expect(await judgeWhile(other)).toMatchObject({ state: 'more', considered: 1, inScope: 1 });
  });

  test('stops when it is cancelled, and stores nothing more', async () => {
    const cancel = () => endBacktest(em(), key, 'cancelled', null);
    expect(await judgeWhile(cancel)).toMatchObject({ state: 'stopped', considered: 0 });
    expect(await verdicts()).toEqual([]);
  });
});
