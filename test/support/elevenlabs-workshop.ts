import type { JsonObject } from '../../src/domain/json.ts';
import { type ScriptedAnswer, type ScriptedRequest, startScriptedServer } from './scripted-server.ts';
import { type Workshop, withTrouble } from './workshops.ts';
import type { Loose } from './world.ts';

export interface ElevenLabsWorkshop extends Workshop {
  /** Every save of the branch that takes the calls, oldest first. */
  versions: { id: string; description: string | null; agent: JsonObject }[];
  /** Tests that are there. */
  tests: Map<string, JsonObject>;
  /** Each test that was run, with what was sent along. */
  played: { test: Loose; override: Loose }[];
  /** Polls that a run is pending for. */
  pendingPolls: number;
  /** Whether a run's answer begins with the history that it was given. */
  repeatsHistory: boolean;
  /** The new transcript of a run; null: it ends without one. */
  plays: (test: Loose, override: Loose) => JsonObject[] | null;
}

const NOT_FOUND: ScriptedAnswer = { status: 404, json: { detail: { status: 'not_found' } } };
const BRANCH = 'agtbrch_main';

/** A stand-in for an agent of ElevenLabs with one branch, its saves, and the tests of the workspace. */
export async function startElevenLabsWorkshop(agent: JsonObject): Promise<ElevenLabsWorkshop> {
  const server = await startScriptedServer();
  const runs = new Map<string, { polls: number; run: JsonObject }>();
  const workshop: ElevenLabsWorkshop = {
    url: server.url,
    writes: [],
    troubles: [],
    isLocked: false,
    versions: [{ id: 'agtvrsn_1', description: null, agent }],
    tests: new Map(),
    played: [],
    pendingPolls: 1,
    repeatsHistory: false,
    plays: () => [{ role: 'agent', message: 'Yes.' }],
    close: () => server.close(),
  };
  server.answerWith((request) =>
    withTrouble(workshop, request, () => answerOfTests(workshop, runs, request) ?? answerOfAgent(workshop, request)),
  );
  return workshop;
}

function answerOfAgent(workshop: ElevenLabsWorkshop, { method, path, query, body }: ScriptedRequest): ScriptedAnswer {
  const { versions } = workshop;
  const [, , , what, , part, branchId] = path.split('/');
  const newest = versions.at(-1);
  if (what !== 'agents' || newest === undefined) return NOT_FOUND;
  const listed = versions.map(({ id }, at) => ({
    id,
    seq_no_in_branch: at + 1,
    time_committed_secs: 1_790_000_000 + at,
  }));
  if (part === 'branches') {
    const branch = { id: BRANCH, current_live_percentage: 1, is_archived: false };
    return { json: branchId === undefined ? { results: [branch] } : { ...branch, most_recent_versions: listed } };
  }
  if (method === 'PATCH') {
    if (query.get('branch_id') !== BRANCH) return NOT_FOUND;
    const { version_description, ...changed } = body as Loose;
    const id = `agtvrsn_${versions.length + 1}`;
    versions.push({ id, description: version_description ?? null, agent: { ...newest.agent, ...changed } });
  }
  const asked = query.get('version_id');
  const one = asked === null ? versions.at(-1) : versions.find(({ id }) => id === asked);
  return one ? { json: { ...one.agent, version_id: one.id, branch_id: BRANCH } } : NOT_FOUND;
}

function answerOfTests(
  workshop: ElevenLabsWorkshop,
  runs: Map<string, { polls: number; run: JsonObject }>,
  { method, path, body }: ScriptedRequest,
): ScriptedAnswer | null {
  const [, , , what, id = '', part] = path.split('/');
  if (what === 'agent-testing' && method === 'POST') {
    const testId = `test_${workshop.played.length + workshop.tests.size + 1}`;
    workshop.tests.set(testId, body as JsonObject);
    return { json: { id: testId } };
  }
  if (what === 'agent-testing' && method === 'DELETE') return workshop.tests.delete(id) ? { json: {} } : NOT_FOUND;
  if (what === 'agents' && part === 'run-tests') {
    const { tests, agent_config_override: override } = body as Loose;
    const test = workshop.tests.get(tests[0].test_id) as Loose;
    if (test === undefined) return { status: 422, json: { detail: 'no such test' } };
    workshop.played.push({ test, override });
    const fresh = workshop.plays(test, override);
    const responses = fresh === null ? [] : [...(workshop.repeatsHistory ? test.chat_history : []), ...fresh];
    const rationale = { summary: 'The agent could not be started.', messages: [] };
    const run = { status: 'failed', agent_responses: responses, condition_result: { result: 'failure', rationale } };
    const invocation = `suite_${runs.size + 1}`;
    runs.set(invocation, { polls: 0, run });
    return { json: { id: invocation, test_runs: [{ status: 'pending' }] } };
  }
  if (what !== 'test-invocations') return null;
  const found = runs.get(id);
  if (found === undefined) return NOT_FOUND;
  found.polls += 1;
  const isPending = found.polls <= workshop.pendingPolls;
  return { json: { id, test_runs: [isPending ? { status: 'pending' } : found.run] } };
}

/** What the first mock whose conditions hold answers, as the platform does; nothing that fits is an error there. */
export function mockedResult(test: Loose, toolId: string, args: Record<string, unknown>): JsonObject {
  const mock = (test.tool_mock_overrides[toolId] ?? []).find(({ parameter_conditions }: Loose) =>
    parameter_conditions.every(({ path, eval: wanted }: Loose) => args[path] === wanted.expected_value),
  );
  if (mock === undefined) return { result_value: 'no mock matched for tool', is_error: true };
  return { result_value: mock.mock_result, is_error: mock.is_error };
}
