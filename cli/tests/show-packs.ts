import type { AgentResource } from '../../src/contract/agent.ts';
import type { TestPackResource } from '../../src/contract/pack.ts';
import { PROGRAM } from '../../src/layout.ts';
import { chooseAgent } from '../choose-agent.ts';
import { readList } from '../lists.ts';
import type { Session } from '../session.ts';

/** `earshot packs`: the packs that an agent can be tested by, what is left out, and what a run of each may cost. */
export async function showPacks(session: Session, options: { agent?: string }): Promise<void> {
  const { print, client } = session;
  const agent = await chooseAgent(session, options.agent);
  const packs = await readList<TestPackResource>(client, `/v1/agents/${agent.id}/packs`);
  if (session.json) {
    print.json(packs);
    return;
  }
  for (const pack of packs) {
    print.line(`${pack.id}: ${pack.description}`);
    for (const { title, leftOut } of pack.tests)
      print.line(`  ${title}${leftOut === null ? '' : ` (left out: ${leftOut})`}`);
    print.line(`  ${packPrice(pack)} ${PROGRAM} run --pack ${pack.id}`);
  }
}

/** Makes the tests of a pack and says what a run of them may cost. @returns the id of their set */
export async function makePack({ client, print }: Session, agent: AgentResource, id: string): Promise<string> {
  const path = `/v1/agents/${agent.id}/packs`;
  const made = await client.write<TestPackResource & { testSetId: string }>('POST', path, { pack: id });
  for (const { title, leftOut } of made.tests) if (leftOut !== null) print.note(`Left out: ${title}. ${leftOut}`);
  print.note(packPrice(made));
  return made.testSetId;
}

function packPrice({ price }: TestPackResource): string {
  const { cells, platformUsd, serviceUsd, budgetLeftUsd, coveredCells } = price;
  const costs = `${cells} ${cells === 1 ? 'test' : 'tests'}, at most ${platformUsd.toFixed(2)} USD at the platform and about ${serviceUsd.toFixed(2)} USD for models.`;
  if (budgetLeftUsd === null) return costs;
  return `${costs} The test budget has ${budgetLeftUsd.toFixed(2)} USD left this month, which covers ${coveredCells} of them.`;
}
