import type { Database } from '../../db/database.ts';
import { actIn } from '../../db/system/scope.ts';
import { ensureSystemWorkspace, listPeopleWorkspaces, lockSetup } from '../../db/system/setup.ts';
import type { ReadyGoal } from '../../domain/goals/ready-goal.ts';
import type { ReadyTest } from '../../domain/tests/ready-test.ts';
import type { Vault } from '../../secrets.ts';
import { copyName, type DemoAgent, ensureDemoAgent } from './demo-agent.ts';

export interface DemoAgentsDeps {
  database: Database;
  vault: Vault;
  /** Where the demo platform listens now. */
  demoUrl: string;
  /** Its agents; the first is also copied into every workspace. */
  demoAgents: readonly {
    providerAgentId: string;
    name: string;
    tests?: readonly ReadyTest[];
    goal?: ReadyGoal | undefined;
  }[];
  polling: { polls: boolean; pollSeconds: number };
}

export interface DemoAgents {
  /** The shared agents in the order given, then the copies. `importId` is null where the agent was imported before. */
  agents: DemoAgent[];
}

/** The shared demo agents, which everybody reads and nobody changes, and a copy of the first for each workspace. */
export async function ensureDemoAgents(deps: DemoAgentsDeps): Promise<DemoAgents> {
  return deps.database.unscoped().transactional(async (em) => {
    await lockSetup(em);
    const systemId = await ensureSystemWorkspace(em);
    const agents: DemoAgents['agents'] = [];
    for (const demo of deps.demoAgents) {
      const shared = { ...withParts(demo), workspaceId: systemId, readOnly: true };
      agents.push(await actIn(em, systemId, () => ensureDemoAgent(em, deps, shared)));
    }
    const [first] = deps.demoAgents;
    for (const workspaceId of first ? await listPeopleWorkspaces(em) : []) {
      if (!first) break;
      const copy = { ...withParts(first), name: copyName(first.name), workspaceId, readOnly: false };
      agents.push(await actIn(em, workspaceId, () => ensureDemoAgent(em, deps, copy)));
    }
    return { agents };
  });
}

const withParts = ({ tests = [], goal, ...agent }: DemoAgentsDeps['demoAgents'][number]) => ({
  ...agent,
  tests,
  goal: goal ?? null,
});
