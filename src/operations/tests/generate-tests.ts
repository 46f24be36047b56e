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
import { representativeOf } from '../../domain/tests/generate.ts';
import { type Context, defineOperation } from '../operation.ts';
import { scopeOf } from '../scope-of.ts';
import { chooseSources, type TestSourceToUse } from './generation-sources.ts';
import { presentTest } from './present.ts';
import { readCallForTest } from './spec-of-call.ts';
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
    const limit = body.limit ?? BY_DEFAULT;
    const generated = await context.em.transactional((tx) => generateFrom({ ...context, em: tx }, body, limit));
    return wordGoals(context, generated);
  },
});

/** Makes a test from each source that has none, until there are enough. */
export async function generateFrom(context: Context, body: GenerateTestsInput, limit: number): Promise<GeneratedTests> {
  const { em, agent } = context;
  // Two people at once would make each test twice.
  await lockAgent(em, agent.id);
  const used = await generatedSources(em, scopeOf(agent));
  const tests: TestResource[] = [];
  const skipped: GeneratedTests['skipped'] = [];
  for (const source of await chooseSources(context, body)) {
    if (tests.length === limit) break;
    const { from, isNamed } = source;
    if (used.has(from)) {
      if (isNamed) skipped.push({ from, reason: 'A test was generated from it already.' });
      continue;
    }
    const made = await makeFrom(context, source);
    if ('test' in made) tests.push(made.test);
    else if (isNamed) skipped.push({ from, reason: made.reason });
    used.add(from);
  }
  return { object: 'generated_tests', tests, skipped, wordedBy: 'rules', sources: [] };
}

async function makeFrom(
  context: Context,
  source: TestSourceToUse,
): Promise<{ test: TestResource } | { reason: string }> {
  const { em, agent } = context;
  const candidate = representativeOf(await candidatesFor(em, scopeOf(agent), source.calls), source.prefers);
  if (!candidate) return { reason: 'No call with words that are still kept shows it.' };
  const call = await readCallForTest(em, agent, candidate.id);
  const made: TestFromCall | null = call && source.make(call);
  if (!made) return { reason: 'A call that is played as text can not show it.' };
  const id = await insertTest(em, {
    ...made,
    workspaceId: agent.workspaceId,
    agentId: agent.id,
    source: 'generated',
    expect: 'pass',
    guard: false,
    sourceCallId: candidate.id,
    generatedFrom: source.from,
    createdBy: context.person().personId,
  });
  const row = await findTest(em, scopeOf(agent), id);
  if (!row) throw new Error('A test that was just generated is not there.');
  return { test: presentTest(row) };
}
