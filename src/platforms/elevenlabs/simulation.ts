import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { isJsonObject, type Json, type JsonObject } from '../../domain/json.ts';
import { toolsWithoutFixture } from '../../domain/runs/not-available.ts';
import { SIMULATION_TERMS } from '../../domain/runs/simulation-terms.ts';
import { idOf, list, object, text, textOf } from '../lenient.ts';
import type { PlatformClient } from '../platform-client.ts';
import type { PlatformConnection } from '../platform-connection.ts';
import { PlatformError } from '../port.ts';
import { type SimulatedAnswer, type SimulatedExchange, type Simulation } from '../simulation.ts';
import { toolMockOverrides } from './mocks.ts';
import { putElevenLabsTexts } from './put-texts.ts';
import { readTurns } from './turns.ts';

const ANSWER_WITHIN_MS = 90_000;
const POLL_MS = { first: 400, most: 2_500 };

const invocation = z.looseObject({ id: text, test_runs: list });
const testRun = z.looseObject({ status: text, agent_responses: list, condition_result: object });
type TestRun = z.infer<typeof testRun>;

/**
 * ElevenLabs' own tests, one a question: a simulation of one turn over the conversation so far, played by the agent as it
 * was captured, with every tool stood in for at the platform. The test is removed when it has been played; whether it
 * passed there says nothing here.
 */
export function createElevenLabsSimulation(client: PlatformClient): Simulation {
  return {
    ...SIMULATION_TERMS.elevenlabs,
    async answer(connection, asked) {
      const agent = putElevenLabsTexts(isJsonObject(asked.document?.agent) ? asked.document.agent : {}, asked.texts);
      if (asked.said === null) return opening(agent);
      const own: JsonObject = { role: 'user', message: asked.said, time_in_call_secs: asked.messages.length };
      const history = [...asked.messages, own];
      const played = await play(client, connection, { asked, agent, history });
      return answerOf(asked, own, freshOf(history, played));
    },
  };
}

interface Question {
  asked: SimulatedExchange;
  agent: JsonObject;
  history: readonly JsonObject[];
}

async function play(client: PlatformClient, connection: PlatformConnection, question: Question): Promise<TestRun> {
  const { asked } = question;
  const doing = 'a simulated call';
  const send = (method: 'GET' | 'POST' | 'DELETE', path: string, json?: Json) =>
    client.send(connection, {
      method,
      path,
      doing,
      mayBeEmpty: method === 'DELETE',
      ...(json === undefined ? {} : { json }),
      ...(method === 'DELETE' ? {} : { signal: asked.signal }),
    });
  const made = await send('POST', '/v1/convai/agent-testing/create', testOf(question));
  const testId = isJsonObject(made) ? idOf(made.id) : null;
  if (testId === null) throw badAnswer();
  const testPath = `/v1/convai/agent-testing/${encodeURIComponent(testId)}`;
  try {
    const path = `/v1/convai/agents/${encodeURIComponent(asked.providerAgentId)}/run-tests`;
    const started = invocation.safeParse(await send('POST', path, runOf(question, testId)));
    if (!started.success || started.data.id === null) throw badAnswer();
    return await untilPlayed(`/v1/convai/test-invocations/${encodeURIComponent(started.data.id)}`, send, asked.signal);
  } finally {
    // A test that stays is seen in the list of tests and does nothing: the answer counts more.
    await send('DELETE', testPath).catch(() => null);
  }
}

async function untilPlayed(
  path: string,
  send: (method: 'GET', path: string) => Promise<Json>,
  signal: AbortSignal | undefined,
): Promise<TestRun> {
  for (
    let waitedMs = 0, gapMs = POLL_MS.first;
    waitedMs < ANSWER_WITHIN_MS;
    gapMs = Math.min(gapMs * 1.5, POLL_MS.most)
  ) {
    await pause(gapMs, undefined, signal ? { signal } : {});
    waitedMs += gapMs;
    const read = invocation.safeParse(await send('GET', path));
    const run = testRun.safeParse(read.success ? read.data.test_runs?.[0] : null);
    if (!run.success) throw badAnswer();
    if (run.data.status !== 'pending') return run.data;
  }
  throw new PlatformError('unavailable', 'ElevenLabs did not end a simulated turn in time.');
}

/** Mocks are given for every tool, and what has none raises an error there: nothing of the customer's is reached. */
function testOf({ asked, history }: Question): JsonObject {
  return {
    type: 'simulation',
    name: `earshot ${asked.token}`.slice(0, 100),
    chat_history: [...history],
    simulation_scenario: 'The caller has said all there is to say, and waits for the answer.',
    simulation_max_turns: 1,
    success_conditions: ['The agent answers the caller.'],
    tool_mock_config: { mocking_strategy: 'all', fallback_strategy: 'raise_error', mocked_tool_ids: [] },
    tool_mock_overrides: toolMockOverrides(asked.mocks, asked.document),
    dynamic_variables: Object.fromEntries(
      Object.entries(asked.configuration.variables).filter(([, value]) => value !== null),
    ),
  };
}

/** The captured agent rides along, so that its version is played whatever is live, and a draft without being saved. */
function runOf({ agent }: Question, testId: string): JsonObject {
  const settings = isJsonObject(agent.platform_settings) ? agent.platform_settings : {};
  return {
    tests: [{ test_id: testId }],
    agent_config_override: {
      conversation_config: agent.conversation_config ?? {},
      platform_settings: settings.guardrails === undefined ? {} : { guardrails: settings.guardrails },
      ...(agent.workflow === undefined ? {} : { workflow: agent.workflow }),
    },
  };
}

/** The test begins with the caller's words, so the first message is told from the agent itself. */
function opening(agent: JsonObject): SimulatedAnswer {
  const config = isJsonObject(agent.conversation_config) ? agent.conversation_config : {};
  const first = isJsonObject(config.agent) ? (textOf(config.agent.first_message)?.trim() ?? '') : '';
  const messages = first === '' ? [] : [{ role: 'agent', message: first, time_in_call_secs: 0 }];
  const { turns } = readTurns(messages, nothingMissing());
  return { messages, turns, state: null, steps: [], ended: null, noFixture: [], costUsd: 0 };
}

/** What came after the conversation so far, up to the words that the platform's own caller made up. */
function freshOf(history: readonly JsonObject[], { agent_responses, condition_result }: TestRun): JsonObject[] {
  const responses = (agent_responses ?? []).filter(isJsonObject);
  const repeats = history.every(
    ({ role, message }, at) => responses[at]?.role === role && responses[at]?.message === message,
  );
  const after = repeats ? responses.slice(history.length) : responses;
  const end = after.findIndex(({ role }) => role === 'user');
  const fresh = end === -1 ? after : after.slice(0, end);
  if (fresh.length > 0) return fresh;
  const rationale = isJsonObject(condition_result?.rationale) ? textOf(condition_result.rationale.summary) : null;
  throw new PlatformError(
    'bad_answer',
    `ElevenLabs played nothing: ${rationale?.slice(0, 300) ?? 'no reason was given'}`,
  );
}

function answerOf(asked: SimulatedExchange, own: JsonObject, fresh: JsonObject[]): SimulatedAnswer {
  const before = readTurns([...asked.messages, own], nothingMissing());
  const whole = readTurns([...asked.messages, own, ...fresh], nothingMissing());
  const turns = whole.turns.slice(before.turns.length).map((turn, index) => ({ ...turn, index }));
  const results = whole.systemResults.slice(before.systemResults.length);
  const handedOver = results.some((kind) => /^transfer_to_number_.*success$/.test(kind));
  return {
    messages: [own, ...fresh],
    turns,
    state: null,
    steps: whole.transitions.slice(before.transitions.length).map(({ toId }) => toId),
    ended: handedOver ? 'transfer' : results.includes('end_call_success') ? 'agent' : null,
    noFixture: toolsWithoutFixture(turns),
    costUsd: null,
  };
}

/** A conversation that goes on lacks no result yet. */
const nothingMissing = () => ({ over: false, durationMs: 0, machine: false, warnings: [] });

const badAnswer = () =>
  new PlatformError('bad_answer', 'The answer in a simulated call did not have the documented shape.');
