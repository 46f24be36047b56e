import type { EntityManager } from '../../db/database.ts';
import { writtenHash } from '../../db/drafts/draft-base.ts';
import type { DraftView } from '../../db/drafts/drafts.ts';
import { publishEvent } from '../../db/events/events.ts';
import { drawFromPlan } from '../../db/limits/draw-from-plan.ts';
import { readAiUsage } from '../../db/models/model-usage.ts';
import { budgetsLeft, leastLeft, openReservation } from '../../db/runs/budgets.ts';
import { loadPlayTerms } from '../../db/runs/run-terms.ts';
import { insertRun } from '../../db/runs/runs.ts';
import { readPlan } from '../../db/system/plans.ts';
import type { TestForRun } from '../../db/tests/tests.ts';
import { withTexts } from '../../domain/drafts/parts.ts';
import { allowancesOf } from '../../domain/limits/plans.ts';
import { nanoOfUsd, type RunModels, unpricedModels, usdWords } from '../../domain/limits/run-cost.ts';
import { isWorded, OWN_CALLER } from '../../domain/runs/attempt.ts';
import type { CellPlan } from '../../domain/runs/cell.ts';
import { runPrice } from '../../domain/runs/cell-price.ts';
import { testCallMessage } from '../../domain/runs/run-messages.ts';
import { simulationTerms } from '../../domain/runs/simulation-terms.ts';
import { type Platform, type RunKind, type RunTrigger, sendsCalls } from '../../domain/vocabulary.ts';
import { addToOutbox } from '../../services/outbox/add-to-outbox.ts';
import { finishRun } from '../../services/runs/finish-run.ts';
import { runEntry } from '../../temporal/run-tests.ts';
import { Failure } from '../failure.ts';
import { quotaExceeded } from '../plan/quota-exceeded.ts';

type DraftToPlay = Pick<DraftView, 'id' | 'revision' | 'base' | 'baseVersion' | 'baseHash' | 'texts' | 'draftHash'>;

/** What is to be played; everything that it names was found. */
export interface RunToOpen {
  agent: { id: string; workspaceId: string; name: string; provider: Platform };
  kind: RunKind;
  trigger: RunTrigger;
  tests: readonly TestForRun[];
  testSetId: string | null;
  /** Null: each test's own caller. */
  personas: readonly string[] | null;
  /** Null: the current one. */
  version: number | null;
  repeats: number | null;
  /** The goal that it is for; its plan is approved. */
  goalId?: string | null;
  /** A user id, `key:<id>`, or `earshot`. */
  createdBy: string;
  apiKeyId: string | null;
  /** Played in the place of the version, which is its base. */
  draft?: DraftToPlay | null;
  /** Whether a copy of the version is to be played; a draft's text may ask for one by itself. */
  shadow?: boolean;
  /** Said of it beside what the budget covers; null: nothing. */
  note?: string | null;
  /** Whether platforms reach an address of ours, at which the test's fixtures answer for tools. */
  hasToolAddress: boolean;
  /** True for what comes with the demo: no test call of the plan is drawn for it. */
  drawsNothing?: boolean;
}

/** Cells beyond this are more than anybody reads; the bound keeps a run's document under some megabytes. */
const MOST_CELLS = 5_000;

/**
 * Makes a run with its cells and its entry in the outbox, in the caller's transaction. The plan's test calls are drawn for the
 * whole of it; of the budgets it is only looked whether they can pay one cell, because the run itself reserves. An
 * automatic run is never turned away here: it draws and reserves when it begins, and waits for a person where it must.
 * @returns its id, or null where the version has had its automatic run.
 * @throws Failure `quota_exceeded`, `testing_not_configured`, `budget_exceeded`
 */
export async function openRun(em: EntityManager, asked: RunToOpen, models: RunModels): Promise<string | null> {
  const { agent, kind, trigger, repeats, tests } = asked;
  const cells = planCells(asked, models.simulator !== null);
  const playable = cells.filter(({ runnable }) => runnable);
  const specs = new Map(tests.map(({ id, spec }) => [id, spec]));
  const called = playable.flatMap(({ testId, persona }) => {
    const spec = specs.get(testId);
    return spec ? [{ spec, persona }] : [];
  });
  const { version, configHash, simulatedCallUsd, playsCopy } = await requireTesting(em, asked);
  const drawsNow = trigger !== 'auto' && asked.drawsNothing !== true;
  const draws = drawsNow ? await drawOrRefuse(em, agent.workspaceId, playable.length) : null;
  const { cellNanoUsd, modelsOfCells, ...price } = runPrice(
    { kind, repeats, cells: called },
    { provider: agent.provider, simulatedCallUsd },
    models,
  );
  const payer = { workspaceId: agent.workspaceId, agentId: agent.id, apiKeyId: asked.apiKeyId };
  if (trigger !== 'auto') {
    const left = leastLeft(await budgetsLeft(em, payer));
    if (left !== null && (left.leftNanoUsd ?? 0) < cellNanoUsd) throw budgetExceeded(left.of, cellNanoUsd, left);
    await requireAi(em, agent.workspaceId, Math.min(...modelsOfCells));
  }
  const unpriced = unpricedModels(called, models);
  const runId = await insertRun(em, {
    ...payer,
    kind,
    trigger,
    note: notes([asked.note ?? null, silentPersonas(cells, asked.personas), ...unpriced.map(unpricedMessage)]),
    version,
    configHash,
    testSetId: asked.testSetId,
    testIds: tests.map(({ id }) => id),
    personas: asked.personas,
    repeats,
    draft: asked.draft ? { id: asked.draft.id, revision: asked.draft.revision } : null,
    playsCopy,
    goalId: asked.goalId ?? null,
    ...price,
    createdBy: asked.createdBy,
    cells,
  });
  if (runId === null) return null;
  await openReservation(em, { ...payer, runId, testCalls: draws?.calls ?? 0, countedIn: draws?.countedIn ?? [] });
  const entry = runEntry({ runId, agentId: agent.id, workspaceId: agent.workspaceId, agentName: agent.name });
  await addToOutbox(em, { entry, workspaceId: agent.workspaceId, agentId: agent.id });
  await publishEvent(em, { agentId: agent.id, kind: 'run.changed', ref: runId });
  return runId;
}

/**
 * A run that can't be played, refused with the reason: it stands among the others with its document, and costs nothing.
 * @returns its id, or null where the version has had its automatic run.
 */
export async function openRefusedRun(
  em: EntityManager,
  asked: RunToOpen & { version: number },
  reason: string,
): Promise<string | null> {
  const { agent, kind, trigger, version, tests } = asked;
  const { workspaceId, id: agentId } = agent;
  const runId = await insertRun(em, {
    ...asked,
    workspaceId,
    agentId,
    kind,
    trigger,
    note: asked.note ?? null,
    draft: null,
    configHash: (await loadPlayTerms(em, agentId, version))?.configHash ?? null,
    testIds: tests.map(({ id }) => id),
    platformNanoUsd: 0,
    serviceNanoUsd: 0,
    cells: planCells(asked, true),
  });
  if (runId === null) return null;
  await finishRun(em, { runId, agentId, workspaceId, outcome: { how: 'refused', message: reason } });
  return runId;
}

const notes = (sentences: readonly (string | null)[]): string | null => {
  const said = sentences.filter((sentence) => sentence !== null);
  return said.length === 0 ? null : said.join(' ');
};

/** Tells whoever asked for personas which of them did not act; null where all do. */
function silentPersonas(cells: readonly CellPlan[], asked: readonly string[] | null): string | null {
  const own = asked === null ? 0 : cells.filter(({ persona }) => persona === OWN_CALLER).length;
  if (own === 0) return null;
  const tests = own === 1 ? '1 test has a script and was' : `${own} tests have scripts and were`;
  return `${tests} played once by their own callers: no model is configured that says a script in the manner of a persona.`;
}

const unpricedMessage = (model: string) => `${model} has no price in the settings, so what it costs is not counted.`;

/**
 * Test by test in their order, and within one test caller by caller. A script that nobody can say in a persona's manner is
 * played once, by the test's own caller; its further cells stand behind all others and are not run.
 */
function planCells({ tests, personas }: RunToOpen, hasSimulator: boolean): CellPlan[] {
  const callers = personas ?? [OWN_CALLER];
  if (tests.length * callers.length > MOST_CELLS) {
    throw new Failure('invalid_body', `A run has at most ${MOST_CELLS} cells (tests times personas). Choose fewer.`);
  }
  const cells = tests.flatMap((test) =>
    callers.map((persona, nth) => {
      if (hasSimulator || !isWorded(persona, test.spec)) return { test, persona, reason: null };
      return nth === 0 ? { test, persona: OWN_CALLER, reason: null } : { test, persona, reason: CANNOT_ACT };
    }),
  );
  const { played = [], refused = [] } = Object.groupBy(cells, ({ reason }) => (reason === null ? 'played' : 'refused'));
  return [...played, ...refused].map(({ test, persona, reason }, position) => ({
    testId: test.id,
    testRevision: test.revision,
    persona,
    position,
    source: test.source,
    lane: test.lane,
    expect: test.expect,
    guard: test.guard,
    gates: test.gates,
    gateReason: test.gateReason,
    runnable: reason === null,
    reason,
  }));
}

const CANNOT_ACT =
  'The test has a script, and no model is configured that says it in the manner of a persona: set EARSHOT_MODEL_URL or ANTHROPIC_API_KEY. No test call was drawn.';

async function drawOrRefuse(em: EntityManager, workspaceId: string, calls: number) {
  const drawn = await drawFromPlan(em, workspaceId, 'testCalls', calls);
  if (drawn.drawn) return { calls, countedIn: drawn.countedIn };
  const { limit, used, plan } = drawn.plan;
  throw quotaExceeded(`${testCallMessage(calls, { limit, used })}.`, {
    metric: 'test_calls',
    limit: limit ?? 0,
    used,
    plan,
  });
}

interface Testing {
  version: number;
  configHash: string | null;
  /** USD a simulated call by the agent's settings; null: the platform's usual rate. */
  simulatedCallUsd: number | null;
  /** Whether a copy has to be made at the platform for it. */
  playsCopy: boolean;
}

/** @throws Failure where the version can't be played, or not without touching something real. */
async function requireTesting(em: EntityManager, { agent, draft, ...asked }: RunToOpen): Promise<Testing> {
  const wanted = draft?.baseVersion ?? asked.version;
  const found = await loadPlayTerms(em, agent.id, wanted);
  if (found === null && wanted !== null) {
    throw new Failure('invalid_parameter', `This agent has no version ${wanted}.`, { param: 'version' });
  }
  const terms = simulationTerms(agent.provider, found?.hasChat);
  if (terms === null) {
    const message = sendsCalls(agent.provider)
      ? 'This agent sends its calls: say first where it answers chats (`PUT /app/agents/{agentId}/chat`).'
      : `Versions of agents on ${agent.provider} can't be played: it offers no simulation that touches nothing real.`;
    throw new Failure('testing_not_configured', message);
  }
  if (found === null || found.configuration === null) {
    const which = wanted === null ? 'The current version' : `Version ${wanted}`;
    throw new Failure(
      'testing_not_configured',
      `${which} can't be played, because its configuration was never read from the platform.`,
    );
  }
  if (asked.shadow === true && terms.drafts !== 'copied') throw noCopies(agent.provider);
  if (draft && terms.drafts === null) throw noDrafts(agent.provider);
  if (draft) refuseUnplayable(draft, found.configHash);
  const live = terms.liveTools(draft ? withTexts(draft.base, draft.texts) : found.configuration, asked.hasToolAddress);
  if (live.length > 0) {
    const message = `The platform would run these tools for real, also in a test: ${live.join(', ')}. Take them out of the version, or test it where they can be replaced.${toolAddressHint(agent.provider, asked.hasToolAddress)}`;
    throw new Failure('testing_not_configured', message);
  }
  const configHash = draft ? draft.draftHash : found.configHash;
  const playsCopy = asked.shadow === true || (Boolean(draft) && terms.drafts === 'copied');
  return { version: found.version, configHash, simulatedCallUsd: found.simulatedCallUsd, playsCopy };
}

const toolAddressHint = (provider: Platform, hasToolAddress: boolean) =>
  provider === 'vapi' && !hasToolAddress
    ? ' Vapi can have them answered here, once EARSHOT_PUBLIC_URL names an address under which it reaches this installation.'
    : '';

function noDrafts(provider: Platform): Failure {
  const message = `The text of a draft can't be played on ${provider}: the agent runs on a server of its own, which has its text.`;
  return new Failure('testing_not_configured', message, { param: 'draftId' });
}

function noCopies(provider: Platform): Failure {
  const message = `No copy is made on ${provider}: a version is played there as it is, and the text of a draft is sent along. Leave shadow out.`;
  return new Failure('testing_not_configured', message, { param: 'shadow' });
}

/** @throws Failure where what a draft lies over is not kept any more. */
function refuseUnplayable(draft: DraftToPlay, configHash: string | null): void {
  if (configHash === null || writtenHash(configHash) !== draft.baseHash) {
    const message = `Version ${draft.baseVersion} was captured anew since the draft began. Lay the draft over the live version.`;
    throw new Failure('testing_not_configured', message, { param: 'draftId' });
  }
}

function budgetExceeded(of: 'agent' | 'key', cellNanoUsd: number, left: { leftNanoUsd: number | null }): Failure {
  const whose = of === 'key' ? "the key's budget" : "the agent's test budget";
  const message = `One cell needs up to ${usdWords(cellNanoUsd)} at the platform, and ${whose} has ${usdWords(left.leftNanoUsd ?? 0)} left this month.`;
  return new Failure('budget_exceeded', message);
}

/** @param nanoUsd what the models of one cell may cost; with 0 no allowance can be too small, unless it is used up. */
async function requireAi(em: EntityManager, workspaceId: string, nanoUsd: number): Promise<void> {
  if (nanoUsd === 0) return;
  const left = await aiLeft(em, workspaceId);
  if (left === null || left >= nanoUsd) return;
  const message = `The models of one cell need about ${usdWords(nanoUsd)}, and the workspace's AI model allowance has ${usdWords(left)} left. It grows again as older usage leaves its 30 days.`;
  throw new Failure('budget_exceeded', message);
}

/** What the AI allowance has left now, in billionths of a US dollar; null: no limit. */
export async function aiLeft(em: EntityManager, workspaceId: string): Promise<number | null> {
  const { plan, set } = await readPlan(em, workspaceId, false);
  const { aiAllowanceUsd } = allowancesOf(plan, set);
  if (aiAllowanceUsd === null) return null;
  const { nanoUsd } = await readAiUsage(em, workspaceId);
  return Math.max(0, nanoOfUsd(aiAllowanceUsd) - nanoUsd);
}
