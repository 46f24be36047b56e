import {
  type GeneratedTests,
  type GenerateTestsInput,
  generatedTests,
  generateTestsInput,
  type TestResource,
} from '../../contract/test.ts';
import { lockAgent } from '../../db/agents/lock-agent.ts';
import { candidatesFor, generatedSources } from '../../db/tests/test-sources.ts';
import { findTest, insertTest } from '../../db/tests/tests.ts';
import type { TestFromCall } from '../../domain/tests/from-call.ts';
import { representativeOf } from '../../domain/tests/representative.ts';
import { type Context, defineOperation } from '../operation.ts';
import { scopeOf } from '../scope-of.ts';
import { chooseSources, type TestSourceToUse } from './generation-sources.ts';
import { presentTest } from './present.ts';
import { holdCall, makeOrSay, readCallForTest } from './spec-of-call.ts';
import { wordGoals } from './word-goals.ts';

const BY_DEFAULT = 5;

export const generateTests = defineOperation({
  id: 'generateTests',
  surface: 'app',
  method: 'POST',
  path: '/app/agents/{agentId}/tests/generate',
  scope: 'person',
  tag: 'Tests',
  summary: 'Generate tests',
  description:
    'From issues (a call that shows each), intents (a usual call of each) and lines of the brief, worded by rules, and where a model is configured the goals of callers by it, each with the words of the call that show it, which are checked to be there; where nothing is named, from open issues and then intents that have no generated test yet. What has one already is passed over, and why is said. Generated tests do not decide about runs before a calibration found them stable.',
  ai: true,
  transaction: false,
  body: generateTestsInput,
  response: generatedTests,
  async run(context, { body = {} }): Promise<GeneratedTests> {
    const made = await makeTests(context, body, body.limit ?? BY_DEFAULT);
    const generated = await context.em.transactional(async (tx) => {
      const kept = await keepTests({ ...context, em: tx }, made);
      await context.audited(tx, kept);
      return kept;
    });
    return wordGoals(context, generated);
  },
});

/** Tests that were made of calls, to be kept, and what was asked for by name and made none. */
export interface MadeTests {
  made: MadeTest[];
  skipped: GeneratedTests['skipped'];
}

interface MadeTest {
  source: TestSourceToUse;
  callId: string;
  test: TestFromCall;
}

const ALREADY = 'A test was generated from it already.';

/** Makes a test from each source that has none, until there are enough, while no transaction waits for it. */
export async function makeTests(context: Context, body: GenerateTestsInput, limit: number): Promise<MadeTests> {
  const used = await generatedSources(context.em, scopeOf(context.agent));
  const all: MadeTests = { made: [], skipped: [] };
  for (const source of await chooseSources(context, body)) {
    if (all.made.length === limit) break;
    const made = used.has(source.from) ? ALREADY : await makeFrom(context, source);
    if (typeof made !== 'string') all.made.push(made);
    else if (source.isNamed) all.skipped.push({ from: source.from, reason: made });
    used.add(source.from);
  }
  return all;
}

/** @returns the reason where there is none. */
async function makeFrom(context: Context, source: TestSourceToUse): Promise<MadeTest | string> {
  const { em, agent, services } = context;
  const candidate = representativeOf(await candidatesFor(em, scopeOf(agent), source.calls), source.prefers);
  const call = candidate && (await readCallForTest(em, agent, candidate.id));
  if (!call) return 'No call with words that are still kept shows it.';
  const test = await makeOrSay(services, agent, call, source.origin);
  if (typeof test === 'string') return test;
  return test === null ? 'A call that is played as text can not show it.' : { source, callId: candidate.id, test };
}

/** In a transaction. What somebody else made meanwhile, or whose call was erased, is passed over. */
export async function keepTests(context: Context, { made, skipped }: MadeTests): Promise<GeneratedTests> {
  const { em, agent } = context;
  // Two people at once would make each test twice.
  await lockAgent(em, agent.id);
  const used = await generatedSources(em, scopeOf(agent));
  const all: GeneratedTests = {
    object: 'generated_tests',
    tests: [],
    skipped: [...skipped],
    wordedBy: 'rules',
    sources: [],
  };
  for (const one of made) {
    const { from, isNamed } = one.source;
    const kept = used.has(from) ? ALREADY : await keepTest(context, one);
    if (typeof kept !== 'string') all.tests.push(kept);
    else if (isNamed) all.skipped.push({ from, reason: kept });
  }
  return all;
}

async function keepTest(context: Context, { source, callId, test }: MadeTest): Promise<TestResource | string> {
  const { em, agent } = context;
  if (!(await holdCall(em, agent, callId))) return 'The call that shows it was erased meanwhile.';
  const id = await insertTest(em, {
    ...test,
    workspaceId: agent.workspaceId,
    agentId: agent.id,
    source: 'generated',
    expect: 'pass',
    guard: false,
    sourceCallId: callId,
    generatedFrom: source.from,
    createdBy: context.person().personId,
  });
  const row = await findTest(em, scopeOf(agent), id);
  if (!row) throw new Error('A test that was just generated is not there.');
  return presentTest(row);
}
