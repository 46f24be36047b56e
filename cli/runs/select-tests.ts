import type { AgentResource } from '../../src/contract/agent.ts';
import type { TestResource } from '../../src/contract/test.ts';
import { readList } from '../lists.ts';
import { Problem } from '../problem.ts';
import type { Session } from '../session.ts';
import { makePack } from '../tests/show-packs.ts';

export interface SelectOptions {
  /** Ids or titles. */
  test?: string[];
  /** Id or name. */
  set?: string;
  all?: boolean;
  /** Name of a pack, whose tests are made first. */
  pack?: string;
}

/** As the body of a start names it. */
export type Selection = { testIds: string[] } | { testSetId: string } | { all: true };

interface TestSet {
  id: string;
  name: string;
  testIds: string[];
}

/** @throws Problem unless exactly one way of choosing is used, and where a name means nothing or several. */
export async function selectTests(session: Session, agent: AgentResource, options: SelectOptions): Promise<Selection> {
  const { test, set, all, pack } = options;
  const given = [test, set, all === true ? true : undefined, pack].filter((one) => one !== undefined);
  if (given.length !== 1) {
    throw new Problem(
      'Choose the tests: --test <id or title> (again for more), --set <id or name>, --pack <name>, or --all.',
    );
  }
  if (pack !== undefined) return { testSetId: await makePack(session, agent, pack) };
  if (set !== undefined) return { testSetId: (await findSet(session, agent, set)).id };
  if (test === undefined) return { all: true };
  const tests = await readList<TestResource>(session.client, `/v1/agents/${agent.id}/tests`);
  const found = test.map((wanted) => pick(wanted, tests, ({ title }) => title, 'test').id);
  return { testIds: [...new Set(found)] };
}

export async function readSelected(
  { client }: Session,
  agent: AgentResource,
  selection: Selection,
): Promise<TestResource[]> {
  const tests = await readList<TestResource>(client, `/v1/agents/${agent.id}/tests`);
  if ('all' in selection) return tests.filter(({ generatedFrom }) => !generatedFrom?.startsWith('pack:'));
  const ids =
    'testIds' in selection
      ? selection.testIds
      : ((await readSets(client, agent)).find(({ id }) => id === selection.testSetId)?.testIds ?? []);
  return tests.filter(({ id }) => ids.includes(id));
}

/** Ids of personas by id or name; null: each test's own caller. */
export async function selectPersonas(
  { client }: Session,
  agent: AgentResource,
  wanted: string[] | undefined,
): Promise<string[] | null> {
  if (wanted === undefined) return null;
  const personas = await readList<{ id: string; name: string }>(client, `/v1/agents/${agent.id}/personas`);
  return [...new Set(wanted.map((one) => pick(one, personas, ({ name }) => name, 'persona').id))];
}

const readSets = (client: Session['client'], agent: AgentResource) =>
  readList<TestSet>(client, `/v1/agents/${agent.id}/test-sets`);

async function findSet({ client }: Session, agent: AgentResource, wanted: string): Promise<TestSet> {
  return pick(wanted, await readSets(client, agent), ({ name }) => name, 'test set');
}

function pick<T extends { id: string }>(wanted: string, items: T[], nameOf: (item: T) => string, what: string): T {
  const byId = items.filter(({ id }) => id === wanted.toLowerCase());
  const found = byId.length > 0 ? byId : items.filter((item) => nameOf(item) === wanted);
  const [only, second] = found;
  if (only && !second) return only;
  const list = items.slice(0, 30).map((item) => `  ${item.id}  ${nameOf(item)}`);
  const says = second ? `${found.length} are called ${wanted}: use the id.` : `There is no ${what} ${wanted}.`;
  throw new Problem([says, ...list].join('\n'));
}
