import { Context } from '@temporalio/activity';
import { type AgentChat, findAgentChat } from '../../src/db/agents/agent-chats.ts';
import type { AgentSource } from '../../src/db/agents/agent-source.ts';
import type { EntityManager } from '../../src/db/database.ts';
import type { OpenAttempt } from '../../src/db/runs/attempts.ts';
import { chatKeyPlace } from '../../src/db/secrets/sealed-places.ts';
import { fixturesLeft } from '../../src/domain/runs/fixtures.ts';
import { type PlayedStep, playedCallOf } from '../../src/domain/runs/played-steps.ts';
import { sendsCalls } from '../../src/domain/vocabulary.ts';
import { PlatformError } from '../../src/platforms/port.ts';
import type { SimulatedAnswer, Simulation } from '../../src/platforms/simulation.ts';
import { fixtureAddress } from '../../src/services/runs/fixture-address.ts';
import type { AttemptKey } from '../../src/temporal/run-tests.ts';
import type { ActivityDeps } from '../deps.ts';
import { type AgentPlatform, openAgentPlatform, openKey, requireSource } from '../shared/agent-platform.ts';
import { AttemptError } from './attempt-error.ts';
import type { Hold } from './held-calls.ts';

/** The other side of a simulated call: one version of the agent on its platform. */
export interface AgentUnderTest {
  /**
   * What the agent answers, and what that costs at the platform.
   * @throws AttemptError when the platform does not answer, however patiently it is asked.
   */
  answer(steps: readonly PlayedStep[], said: string | null): Promise<{ made: PlayedStep; usd: number }>;
}

/** @throws AttemptError where the version cannot be played safely. */
export async function openAgentUnderTest(
  deps: ActivityDeps,
  em: EntityManager,
  key: AttemptKey,
  attempt: OpenAttempt,
  hold: Hold,
): Promise<AgentUnderTest> {
  const { source, simulation, connection } = await openPlatform(deps, em, key.agentId);
  const { configuration, spec } = attempt;
  if (simulation === null)
    throw new AttemptError(`Calls can't be simulated on the platform of this agent (${source.provider}).`);
  if (configuration === null) {
    throw new AttemptError(`Nobody has read what version ${attempt.version} is told to do, so it can't be played.`);
  }
  if (attempt.playsCopy && attempt.copy === null) {
    throw new AttemptError('The copy of the agent that the run plays is not there any more.');
  }
  const { isNamed, publicUrl, vault } = deps;
  const live = simulation.liveTools(configuration, isNamed);
  if (live.length > 0) throw new AttemptError(`Not played: the platform would run ${live.join(', ')} for real.`);
  const token = `${key.runId}/${key.testId}/${key.persona}/${key.attempt}`;
  const rate = attempt.simulatedCallUsd ?? simulation.usdACall;

  return {
    async answer(steps, said) {
      const { turns } = playedCallOf(steps);
      const ask = () =>
        simulation.answer(connection, {
          providerAgentId: source.providerAgentId,
          version: attempt.version,
          providerRef: attempt.providerRef,
          configuration,
          document: attempt.document,
          texts: attempt.texts,
          copy: attempt.copy,
          messages: steps.flatMap(({ messages }) => messages),
          state: steps.findLast(({ by }) => by === 'agent')?.state ?? null,
          said,
          mocks: fixturesLeft(spec.fixtures, turns).map(({ tool, match, respond }) => ({ tool, match, respond })),
          toolAddress: isNamed ? fixtureAddress(vault, publicUrl, { ...key, attemptId: attempt.attemptId }) : null,
          token,
          signal: Context.current().cancellationSignal,
        });
      const answer = await patiently(deps, hold, ask);
      const isFirst = !steps.some(({ by, messages }) => by === 'agent' && messages.length > 0);
      const usd = answer.costUsd ?? (isFirst && answer.messages.length > 0 ? rate : 0);
      return { made: agentsStep(steps.length, answer), usd };
    },
  };
}

type Opened = Omit<AgentPlatform, 'adapter'> & { simulation: Simulation | null };

async function openPlatform(deps: ActivityDeps, em: EntityManager, agentId: string): Promise<Opened> {
  try {
    const source = await requireSource(em, agentId);
    if (sendsCalls(source.provider)) return openChat(deps, source, await findAgentChat(em, agentId));
    const { adapter, ...opened } = await openAgentPlatform(deps, em, agentId);
    return { ...opened, simulation: adapter.simulation };
  } catch (error) {
    if (error instanceof PlatformError) throw new AttemptError(error.message);
    throw error;
  }
}

/** An agent that sends its calls is asked under the name of its model. */
function openChat(deps: ActivityDeps, source: AgentSource, chat: AgentChat | null): Opened {
  if (chat === null) return { source, simulation: null, connection: { baseUrl: '', apiKey: '' } };
  const place = chatKeyPlace(source.workspaceId, source.agentId);
  const connection = { baseUrl: chat.url, apiKey: openKey(deps, chat.sealedKey, place) };
  const named = { ...source, providerAgentId: chat.model ?? source.providerAgentId };
  return { source: named, simulation: deps.platforms.chat, connection };
}

function agentsStep(step: number, answer: SimulatedAnswer): PlayedStep {
  return {
    step,
    by: 'agent',
    turns: answer.turns,
    messages: answer.messages,
    state: answer.state,
    flowSteps: answer.steps,
    noFixture: answer.noFixture,
    ended: answer.ended,
  };
}

const TRIES_AT_MOST = 3;
const WAITS_AT_MOST = 5;
/** Of those that nobody asked for; what a platform asks for is kept. */
const LONGEST_GAP_MS = 120_000;

/** Asks again where the platform is away or asks to wait, a bounded number of times. */
async function patiently(
  { patience }: ActivityDeps,
  hold: Hold,
  ask: () => Promise<SimulatedAnswer>,
): Promise<SimulatedAnswer> {
  for (let tries = 1, waits = 0; ; ) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      if (Context.current().cancellationSignal.aborted) await Context.current().cancelled;
      if (error.kind === 'rate_limited' && waits < WAITS_AT_MOST) {
        waits += 1;
        const untoldMs = Math.min(patience.firstGapMs * 2 ** waits, LONGEST_GAP_MS);
        await hold.wait(error.retryAfterMs ?? untoldMs, error.message);
      } else if ((error.kind === 'unavailable' || error.kind === 'bad_answer') && tries < TRIES_AT_MOST) {
        await Context.current().sleep(Math.min(patience.firstGapMs * 2 ** (tries - 1), LONGEST_GAP_MS));
        tries += 1;
      } else {
        throw new AttemptError(error.message);
      }
    }
  }
}
