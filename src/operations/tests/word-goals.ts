import type { GeneratedTests, TestResource } from '../../contract/test.ts';
import { lockAgent } from '../../db/agents/lock-agent.ts';
import { readAgentSettings } from '../../db/agents/write-agents.ts';
import { replaceSpec, updateTest } from '../../db/tests/change-tests.ts';
import { findTest } from '../../db/tests/tests.ts';
import { withMadeUpPeople } from '../../domain/personal/made-up-call.ts';
import { gateAfterNewSpec } from '../../domain/tests/gate.ts';
import type { GoalWords } from '../../domain/tests/goal-words.ts';
import { cleanText } from '../../domain/tests/plain.ts';
import { askForGoal } from '../../services/models/ask-for-goal.ts';
import type { Context } from '../operation.ts';
import { scopeOf } from '../scope-of.ts';
import type { Ai } from '../services.ts';
import { presentTest } from './present.ts';
import { readCallForTest } from './spec-of-call.ts';

const AT_ONCE = 4;
const TITLE_AT_MOST = 200;

/**
 * Has a model say what the callers of generated tests want, each from the test's own call. Where it is not asked, gives no
 * usable answer, or cites what was not said, the rules' words stay. No transaction is open while it is asked.
 */
export async function wordGoals(context: Context, generated: GeneratedTests): Promise<GeneratedTests> {
  const { em, agent, services } = context;
  const settings = await readAgentSettings(em, agent.id);
  if (services.ai === null || settings === null || settings.modelReading === 'off') return generated;
  const worded: Worded[] = [];
  for (let at = 0; at < generated.tests.length; at += AT_ONCE) {
    const { ai } = services;
    const tests = generated.tests.slice(at, at + AT_ONCE);
    worded.push(...(await Promise.all(tests.map((test) => wordGoal(context, ai, test)))));
  }
  const sources = worded.flatMap(({ test, words }) => (words ? [{ testId: test.id, ...sourceOf(test, words) }] : []));
  const wordedBy = sources.length > 0 ? 'model' : 'rules';
  return { ...generated, tests: worded.map(({ test }) => test), wordedBy, sources };
}

interface Worded {
  test: TestResource;
  /** Null: the rules' words stay. */
  words: GoalWords | null;
}

const sourceOf = ({ sourceCallId }: TestResource, { turn, quote }: GoalWords) => ({
  callId: sourceCallId ?? '',
  turn,
  quote,
});

async function wordGoal(context: Context, ai: Ai, test: TestResource): Promise<Worded> {
  const { em, agent } = context;
  const read = await readCallForTest(em, agent, test.sourceCallId ?? '');
  if (read === null) return { test, words: null };
  const { goal } = test.spec.caller;
  const { turns } = withMadeUpPeople(read).call;
  const of = { workspaceId: agent.workspaceId, agentId: agent.id, testId: test.id };
  const words = await askForGoal(em, ai, { ...of, goal, turns });
  const changed = words && (await keepGoal(context, test, words));
  if (!changed) return { test, words: null };
  // The call itself is quoted: in whole where the words that were cited hold somebody made up.
  const said = read.call.turns.find(({ index }) => index === words.turn)?.text ?? '';
  return { test: changed, words: { ...words, quote: said.includes(words.quote) ? words.quote : said } };
}

/** As the next revision, unless somebody has changed or removed the test meanwhile, or its call was erased. */
async function keepGoal({ em, agent, person }: Context, made: TestResource, words: GoalWords) {
  return em.transactional(async (tx): Promise<TestResource | null> => {
    await lockAgent(tx, agent.id);
    const before = await findTest(tx, scopeOf(agent), made.id);
    if (!before || before.revision !== made.revision) return null;
    const { goal } = before.spec.caller;
    const spec = { ...before.spec, caller: { ...before.spec.caller, goal: words.text } };
    const { gates, reason: gateReason } = gateAfterNewSpec(before.revision + 1);
    const createdBy = person().personId;
    if (!(await replaceSpec(tx, before, { revision: before.revision, spec, createdBy, gates, gateReason })))
      return null;
    const { title, lane, expect, guard, archivedAt } = before;
    const named = cleanText(
      title.replace(goal, () => words.text),
      TITLE_AT_MOST,
    );
    await updateTest(tx, before, {
      title: named,
      lane,
      expect,
      guard,
      gates,
      gateReason,
      archived: archivedAt !== null,
    });
    const row = await findTest(tx, scopeOf(agent), made.id);
    return row && presentTest(row);
  });
}
