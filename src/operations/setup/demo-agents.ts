import type { Database, EntityManager } from '../../db/database.ts';
import { createImport } from '../../db/queries/imports.ts';
import { hasImports } from '../../db/queries/read-imports.ts';
import { ensureConnection, ensureSystemWorkspace, listPeopleWorkspaces, lockSetup } from '../../db/queries/setup.ts';
import { findAgentByProviderId, insertAgent } from '../../db/queries/write-agents.ts';
import { importOrder } from '../../durable/desk.ts';
import type { Vault } from '../../secrets.ts';
import { deskOfAgent } from '../orders/desk-of-agent.ts';
import { writeOrder } from '../orders/write-order.ts';

export interface DemoAgentsDeps {
  database: Database;
  vault: Vault;
  /** Where the demo platform listens now. */
  demoUrl: string;
  /** Its agents; the first is also copied into every workspace. */
  demoAgents: readonly { providerAgentId: string; name: string }[];
  polling: { polls: boolean; pollSeconds: number };
}

export interface DemoAgents {
  /** The shared agents in the order given, then the copies. `importId` is null where the agent was imported before. */
  agents: { agentId: string; name: string; importId: string | null }[];
}

/** The demo platform asks for some key; it takes any. */
const DEMO_KEY = 'demo';
const IMPORT_LIMIT = 1000;

/** The shared demo agents, which everybody reads and nobody changes, and a copy of the first for each workspace. */
export async function ensureDemoAgents(deps: DemoAgentsDeps): Promise<DemoAgents> {
  return deps.database.em().transactional(async (em) => {
    await lockSetup(em);
    const systemId = await ensureSystemWorkspace(em);
    const agents: DemoAgents['agents'] = [];
    for (const demo of deps.demoAgents) {
      agents.push(await ensureAgent(em, deps, { ...demo, workspaceId: systemId, readOnly: true }));
    }
    const [first] = deps.demoAgents;
    for (const workspaceId of first ? await listPeopleWorkspaces(em) : []) {
      if (!first) break;
      const copy = { ...first, name: `${first.name} (copy)`, workspaceId, readOnly: false };
      agents.push(await ensureAgent(em, deps, copy));
    }
    return { agents };
  });
}

async function ensureAgent(
  em: EntityManager,
  deps: DemoAgentsDeps,
  demo: { providerAgentId: string; name: string; workspaceId: string; readOnly: boolean },
): Promise<DemoAgents['agents'][number]> {
  const { workspaceId, providerAgentId, name, readOnly } = demo;
  const connectionId = await ensureConnection(em, {
    workspaceId,
    platform: 'demo',
    baseUrl: deps.demoUrl,
    sealedKey: deps.vault.seal(DEMO_KEY),
  });
  const key = { workspaceId, provider: 'demo', providerAgentId } as const;
  const agentId =
    (await insertAgent(em, {
      ...key,
      connectionId,
      name,
      source: 'demo',
      setupStatus: 'approved',
      onboardingStep: 'importing',
      readOnly,
    })) ?? (await findAgentByProviderId(em, key));
  if (!agentId) throw new Error('A demo agent is neither new nor there.');
  if (await hasImports(em, agentId)) return { agentId, name, importId: null };

  const request = await createImport(em, { workspaceId, agentId, kind: 'first', limit: IMPORT_LIMIT, from: null });
  const desk = deskOfAgent({ agentId, workspaceId, name, provider: 'demo' }, deps.polling);
  await writeOrder(em, { order: importOrder(desk, request), workspaceId, agentId });
  return { agentId, name, importId: request.importId };
}
