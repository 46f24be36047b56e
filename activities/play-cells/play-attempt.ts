import { Context } from '@temporalio/activity';
import type { EntityManager } from '../../src/db/database.ts';
import {
  beginStep,
  type EndOfPlaying,
  endPlaying,
  type OpenAttempt,
  openAttempt,
  playedSoFar,
} from '../../src/db/runs/attempts.ts';
import { storeStep } from '../../src/db/runs/store-step.ts';
import { findPersonas } from '../../src/db/tests/personas.ts';
import { OWN_CALLER, type PlayedCall } from '../../src/domain/runs/attempt.ts';
import { type NextMove, nextMove } from '../../src/domain/runs/caller.ts';
import { noFixtureOf, type PlayedStep, playedCallOf } from '../../src/domain/runs/played-steps.ts';
import { changedContent } from '../../src/domain/runs/said-in-manner.ts';
import type { ChatRequest } from '../../src/models/port.ts';
import { callerRequest, type RefusedWording, spokenWords, wordingRequest } from '../../src/models/simulator.ts';
import { emptyTurn } from '../../src/platforms/turn-parts.ts';
import type { AttemptKey } from '../../src/temporal/run-tests.ts';
import type { ActivityDeps } from '../deps.ts';
import { askCounted } from '../shared/counted-question.ts';
import { operators } from '../shared/reader-of.ts';
import { withHeartbeat } from '../shared/with-heartbeat.ts';
import { AttemptError } from './attempt-error.ts';
import { type Hold, holdSilently } from './held-calls.ts';
import { type AgentUnderTest, openAgentUnderTest } from './simulated-agent.ts';

/** Longer than any call that its turns allow, unless a platform or a model is very slow. */
const LONGEST_MS = 20 * 60_000;
const ASKS_AT_MOST = 3;
const WORDINGS_AT_MOST = 2;
const NANO = 1e9;

/** One simulated call and nothing else: what runs play that began before windows of cells. */
export function createPlayAttempt(deps: ActivityDeps) {
  return async function playAttempt(key: AttemptKey): Promise<{ trouble: string | null }> {
    const at = standsAt(key);
    return withHeartbeat(
      () => at,
      async () => {
        const em = deps.database.within(key.workspaceId);
        const call = await playToEnd(deps, em, key, at);
        if (call === null) return { trouble: 'The run has no such test any more.' };
        if (call.end !== null) await endPlaying(em, call.attempt, call.end);
        return { trouble: call.attempt.played.trouble };
      },
    );
  };
}

/** Where a simulated call stands, as its activity's heartbeats tell. */
export interface StandsAt {
  test: string;
  attempt: number;
  step: number;
}

export const standsAt = ({ testId, attempt }: AttemptKey): StandsAt => ({ test: testId, attempt, step: 0 });

export interface PlayedToEnd {
  attempt: OpenAttempt;
  /** What is still to be stored of its end; null where that is in the record. */
  end: EndOfPlaying | null;
}

/**
 * Plays one simulated call from where it stands to its end. Each step is in the record before the next begins, so that
 * whoever takes it up again repeats at most the question that was out; the platform keeps nothing of it, and every tool
 * is stood in for, so that asking it twice does nothing twice. Where another player took over meanwhile, this one ends
 * without another word. What keeps a call from being played is a result; what
 * another try fixes, such as a database that is away, is thrown.
 * @returns null where the run has no such test any more.
 */
export async function playToEnd(
  deps: ActivityDeps,
  em: EntityManager,
  key: AttemptKey,
  at: StandsAt,
  hold: Hold = holdSilently(),
): Promise<PlayedToEnd | null> {
  const attempt = await openAttempt(em, key);
  if (attempt === null) return null;
  if (attempt.state !== 'playing') return { attempt, end: null };
  const { attemptId, player } = attempt;
  const owned = { workspaceId: key.workspaceId, agentId: key.agentId, attemptId, player };
  const steps = [...attempt.steps];
  at.step = steps.length;
  const onStep = (step: PlayedStep) => {
    steps.push(step);
    at.step = steps.length;
  };
  const end: EndOfPlaying = { endedBy: null, trouble: null, noFixture: [], serviceNanoUsd: 0 };
  try {
    const agent = await openAgentUnderTest(deps, em, key, attempt, hold);
    end.endedBy = await playOn({ deps, em, owned, attempt, agent, hold }, steps, onStep);
  } catch (error) {
    if (!(error instanceof AttemptError)) throw error;
    if (Context.current().cancellationSignal.aborted) await Context.current().cancelled;
    end.trouble = error.message;
    end.serviceNanoUsd = error.serviceNanoUsd;
  }
  end.noFixture = noFixtureOf(steps);
  return { attempt: { ...attempt, ...playedSoFar(steps, end), steps }, end };
}

interface Playing {
  deps: ActivityDeps;
  em: EntityManager;
  owned: { workspaceId: string; agentId: string; attemptId: string; player: number };
  attempt: OpenAttempt;
  agent: AgentUnderTest;
  hold: Hold;
}

async function playOn(
  playing: Playing,
  steps: readonly PlayedStep[],
  onStep: (step: PlayedStep) => void,
): Promise<PlayedCall['endedBy']> {
  const { em, owned, attempt, agent, hold } = playing;
  const began = Date.now();
  const next = (played: readonly PlayedStep[]) => nextMove(attempt.spec, played, attempt.persona);
  const store = async (made: PlayedStep, cost = { platformNanoUsd: 0, serviceNanoUsd: 0 }) => {
    await storeStep(em, owned, made, cost, askedBy(next([...steps, made])));
    onStep(made);
  };
  const first = askedBy(next(steps));
  if (first !== null) await beginStep(em, owned, steps.length, first);
  // The opening, an answer to each turn, and a goodbye: no test allows more.
  while (steps.length <= 2 * attempt.spec.maxTurns + 2) {
    if (Date.now() - began - hold.heldMs > LONGEST_MS)
      throw new AttemptError('The simulated call was not over after 20 minutes.');
    const move = next(steps);
    const step = steps.length;
    switch (move.do) {
      case 'end':
        return move.endedBy;
      case 'caller says':
        await store(callersStep(step, move.text, move.hangsUp));
        break;
      case 'caller words':
      case 'caller is asked': {
        const { made, nanoUsd } =
          move.do === 'caller words' ? await wordLine(playing, steps, move.line) : await askCaller(playing, steps);
        await store(made, { platformNanoUsd: 0, serviceNanoUsd: nanoUsd });
        break;
      }
      case 'agent answers': {
        const { made, usd } = await agent.answer(steps, move.said);
        await store(made, { platformNanoUsd: Math.round(usd * NANO), serviceNanoUsd: 0 });
        break;
      }
      default:
        move satisfies never;
    }
  }
  return 'limit';
}

/** Who is asked for the next step, by a question that leaves this process; null where nobody is. */
function askedBy(move: NextMove): PlayedStep['by'] | null {
  switch (move.do) {
    case 'agent answers':
      return 'agent';
    case 'caller words':
    case 'caller is asked':
      return 'caller';
    case 'caller says':
    case 'end':
      return null;
    default:
      return move satisfies never;
  }
}

function callersStep(step: number, text: string, hangsUp: boolean): PlayedStep {
  return {
    step,
    by: 'caller',
    turns: text === '' ? [] : [{ ...emptyTurn(0, 'caller', null), text }],
    messages: [],
    state: null,
    flowSteps: [],
    noFixture: [],
    ended: hangsUp ? 'caller' : null,
  };
}

/** The caller's next line by the model that plays it. */
async function askCaller(
  playing: Playing,
  steps: readonly PlayedStep[],
): Promise<{ made: PlayedStep; nanoUsd: number }> {
  const { em, owned, attempt } = playing;
  const caller = { ...attempt.spec.caller, style: await styleOf(em, owned.workspaceId, attempt) };
  const { value, nanoUsd } = await askSimulator(playing, steps, callerRequest(caller, playedCallOf(steps).turns));
  const text = spokenWords(value.say);
  if (text === '' && !value.hangUp) {
    throw new AttemptError('The model that plays the caller said nothing and did not hang up.', nanoUsd);
  }
  return { made: callersStep(steps.length, text, value.hangUp), nanoUsd };
}

/**
 * A line of the script in the manner of the persona. A wording that says something else is asked for once more with what
 * is wrong with it; where that one does not keep the line either, it is said as it is written.
 */
async function wordLine(
  playing: Playing,
  steps: readonly PlayedStep[],
  line: string,
): Promise<{ made: PlayedStep; nanoUsd: number }> {
  const { em, owned, attempt } = playing;
  const manner = await styleOf(em, owned.workspaceId, attempt);
  const { turns } = playedCallOf(steps);
  let spent = 0;
  let refused: RefusedWording | null = null;
  for (let wording = 1; wording <= WORDINGS_AT_MOST; wording += 1) {
    const request = wordingRequest({ manner, line, refused }, turns);
    const { value, nanoUsd } = await askSimulator(playing, steps, request, { wording, spent });
    spent += nanoUsd;
    const said = spokenWords(value.say);
    const because = said === '' ? 'It says nothing.' : changedContent(line, said, attempt.spec);
    if (because === null) return { made: callersStep(steps.length, said, false), nanoUsd: spent };
    refused = { said, because };
  }
  return { made: callersStep(steps.length, line, false), nanoUsd: spent };
}

/** @throws AttemptError with what was spent where the model has no answer. */
async function askSimulator<T>(
  { deps, em, owned }: Playing,
  steps: readonly PlayedStep[],
  request: ChatRequest<T>,
  { wording = 1, spent = 0 } = {},
): Promise<{ value: T; nanoUsd: number }> {
  const { simulator } = deps.models;
  if (simulator === null) {
    const help = 'Give the test a script and no persona, or set EARSHOT_MODEL_URL or ANTHROPIC_API_KEY.';
    throw new AttemptError(`A model is needed to play this caller, and none is configured. ${help}`);
  }
  const again = wording === 1 ? '' : `/${wording}`;
  const answer = await askCounted(em, {
    ...owned,
    purpose: 'caller',
    subject: `${owned.attemptId}/${steps.length}${again}/${simulator.model}`,
    asksAtMost: ASKS_AT_MOST,
    asks: operators(deps.models, simulator),
    request,
  });
  if (answer.state === 'exhausted') {
    const when = answer.freeAt === null ? 'covers no question to this model' : `is used up until ${answer.freeAt}`;
    throw new AttemptError(`The caller could not be played: the AI allowance of the workspace ${when}.`, spent);
  }
  if (answer.state === 'unusable') {
    const trouble = `The model that plays the caller gave no usable answer. ${answer.reason}`;
    throw new AttemptError(trouble, spent + answer.nanoUsd);
  }
  return answer;
}

/** A persona speaks in its own way, with the facts and the goal of the test. */
async function styleOf(em: EntityManager, workspaceId: string, { persona, spec }: OpenAttempt): Promise<string> {
  if (persona === OWN_CALLER) return spec.caller.style;
  const [found] = await findPersonas(em, workspaceId, [persona]);
  if (!found) throw new AttemptError(`The persona ${persona} was deleted, so that nobody can play this caller.`);
  return found.style;
}
