import type { TestPackResource } from '../../contract/pack.ts';
import { configurationOf } from '../../db/versions/versions.ts';
import { type MadeOfPack, type TestPack, testsOfPack } from '../../domain/packs/pack.ts';
import { OWN_CALLER } from '../../domain/runs/attempt.ts';
import type { TestSpec } from '../../domain/tests/spec.ts';
import type { Context } from '../operation.ts';
import { presentPrice, priceRun } from '../runs/price-run.ts';

/** The tests of a pack as they fit the current version of the agent and the models of this installation. */
export async function fitPack({ em, agent, services }: Context, pack: TestPack): Promise<MadeOfPack[]> {
  const configuration = await configurationOf(em, agent.id, agent.currentVersion);
  const { simulator, judge } = services.models;
  return testsOfPack(pack, { configuration, hasSimulator: simulator !== null, hasJudge: judge !== null });
}

export async function presentPack(
  context: Context,
  pack: TestPack,
  tests: readonly MadeOfPack[],
): Promise<TestPackResource> {
  const specs = tests.flatMap(({ spec }): TestSpec[] => (spec === null ? [] : [spec]));
  const cells = specs.map((spec) => ({ spec, persona: OWN_CALLER }));
  const price = await priceRun(context, { cells, repeats: null }, context.services.models);
  return {
    object: 'test_pack',
    id: pack.id,
    name: pack.name,
    description: pack.description,
    tests: tests.map(({ id, kind, title, reason }) => ({ id, kind, title, leftOut: reason })),
    price: presentPrice(price, cells.length),
  };
}
