import { madePack, packToMake } from '../../contract/pack.ts';
import { lockAgent } from '../../db/agents/lock-agent.ts';
import { canonicalJson } from '../../db/convert.ts';
import { replaceSpec } from '../../db/tests/change-tests.ts';
import { findSetByName, insertTestSet, updateTestSet } from '../../db/tests/test-sets.ts';
import { findGeneratedTest, insertTest } from '../../db/tests/tests.ts';
import { fromPack, type MadeOfPack, type TestPack } from '../../domain/packs/pack.ts';
import { TEST_PACKS } from '../../domain/packs/packs.ts';
import { gateAfterNewSpec } from '../../domain/tests/gate.ts';
import type { TestSpec } from '../../domain/tests/spec.ts';
import { authorOf } from '../author-of.ts';
import { Failure } from '../failure.ts';
import { type Context, defineOperation } from '../operation.ts';
import { scopeOf } from '../scope-of.ts';
import { fitPack, presentPack } from './read-pack.ts';

export const makePack = defineOperation({
  id: 'makePack',
  surface: 'v1',
  method: 'POST',
  path: '/v1/agents/{agentId}/packs',
  scope: 'write',
  tag: 'Tests',
  summary: 'Make the tests of a pack',
  description:
    'Fits the tests of a pack to the current version of the agent and keeps them as tests of its own, in a set of the name of the pack, whose id starting a run takes. Making it again brings them up to date and makes none twice; a test that somebody archived stays out. Runs of all tests leave these tests out.',
  whenToUse: 'Call it before starting a run of a pack: it returns the testSetId and what the run may cost.',
  body: packToMake,
  refuses: ['testing_not_configured'],
  response: madePack,
  async run(context, { body }) {
    const pack = TEST_PACKS.find(({ id }) => id === body.pack);
    if (!pack) {
      const known = TEST_PACKS.map(({ id }) => id).join(', ');
      throw new Failure('invalid_parameter', `There is no test pack of this name. There are: ${known}.`, {
        param: 'pack',
      });
    }
    // Two at once would make each test twice.
    await lockAgent(context.em, context.agent.id);
    const kept: { one: MadeOfPack; id: string | null }[] = [];
    for (const one of await fitPack(context, pack)) kept.push(await keep(context, pack, one));
    const testIds = kept.flatMap(({ id }) => id ?? []);
    if (testIds.length === 0) {
      const why = kept[0]?.one.reason ?? 'It has no test.';
      throw new Failure('testing_not_configured', `No test of the pack fits this agent. ${why}`);
    }
    const tests = kept.map(({ one }) => one);
    return {
      ...(await presentPack(context, pack, tests)),
      object: 'made_test_pack' as const,
      testSetId: await keepSet(context, pack, testIds),
      testIds,
    };
  },
});

async function keep(
  context: Context,
  pack: TestPack,
  one: MadeOfPack,
): Promise<{ one: MadeOfPack; id: string | null }> {
  const { em, agent } = context;
  const { spec } = one;
  if (spec === null) return { one, id: null };
  const generatedFrom = fromPack(pack, one.id);
  const found = await findGeneratedTest(em, scopeOf(agent), generatedFrom);
  if (found) {
    if (found.archivedAt !== null) {
      return { one: { ...one, spec: null, reason: 'Somebody archived it: bring it back to play it.' }, id: null };
    }
    await renew(context, found, spec);
    return { one, id: found.id };
  }
  const { workspaceId, id: agentId } = agent;
  const id = await insertTest(em, {
    workspaceId,
    agentId,
    title: one.title,
    source: 'generated',
    lane: null,
    expect: 'pass',
    guard: false,
    spec,
    sourceCallId: null,
    generatedFrom,
    createdBy: authorOf(context.caller()),
  });
  return { one, id };
}

async function renew(
  context: Context,
  found: NonNullable<Awaited<ReturnType<typeof findGeneratedTest>>>,
  spec: TestSpec,
): Promise<void> {
  if (canonicalJson(spec) === canonicalJson(found.spec)) return;
  const { gates, reason: gateReason } = gateAfterNewSpec(found.revision + 1);
  const next = { revision: found.revision, spec, createdBy: authorOf(context.caller()), gates, gateReason };
  await replaceSpec(context.em, found, next);
}

async function keepSet(context: Context, { name }: TestPack, testIds: readonly string[]): Promise<string> {
  const { em, agent } = context;
  const { workspaceId, id: agentId } = agent;
  const found = await findSetByName(em, scopeOf(agent), name);
  if (!found) {
    return insertTestSet(em, { workspaceId, agentId, name, testIds, createdBy: authorOf(context.caller()) });
  }
  await updateTestSet(em, found, { name, testIds });
  return found.id;
}
