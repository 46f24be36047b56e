import { findAgentByProviderId, insertAgent } from '../../db/agents/write-agents.ts';
import { ensureDemoConnection, type SharedDemoAgent } from '../../db/connections/connections.ts';
import type { EntityManager } from '../../db/database.ts';
import { createImport } from '../../db/imports/imports.ts';
import { hasImports } from '../../db/imports/read-imports.ts';
import { connectionKeyPlace } from '../../db/secrets/sealed-places.ts';
import type { ReadyGoal } from '../../domain/goals/ready-goal.ts';
import type { ReadyTest } from '../../domain/tests/ready-test.ts';
import type { Vault } from '../../secrets.ts';
import { coordinatorOf } from '../../services/agents/coordinator-input.ts';
import { openPoller } from '../../services/agents/open-poller.ts';
import { addToOutbox } from '../../services/outbox/add-to-outbox.ts';
import { importEntry } from '../../temporal/agent-coordinator.ts';
import { ensureDemoGoal, readyGoalOf } from './demo-goals.ts';
import { ensureDemoTests, readyTestsOf } from './demo-tests.ts';

export interface DemoAgentDeps {
  vault: Vault;
  /** Where the demo platform listens now. */
  demoUrl: string;
  polling: { polls: boolean; pollSeconds: number };
}

/** `importId` is null where the agent was imported before. */
export interface DemoAgent {
  agentId: string;
  workspaceId: string;
  name: string;
  importId: string | null;
}

/** At the demo platform each key is an account: what a workspace has published for its copies, no other sees. */
const demoKey = (workspaceId: string, readOnly: boolean) => (readOnly ? 'demo' : `demo-${workspaceId}`);
const IMPORT_LIMIT = 1000;

/** A writable copy of a shared demo agent with its tests and its goal; where the workspace has one already, that one. */
export async function copyDemoAgent(
  em: EntityManager,
  deps: Omit<DemoAgentDeps, 'demoUrl'>,
  shared: SharedDemoAgent,
  workspaceId: string,
): Promise<DemoAgent> {
  return ensureDemoAgent(
    em,
    { ...deps, demoUrl: shared.baseUrl },
    {
      providerAgentId: shared.providerAgentId,
      name: copyName(shared.name),
      workspaceId,
      readOnly: false,
      tests: await readyTestsOf(em, shared.id),
      goal: await readyGoalOf(em, shared.id),
    },
  );
}

export const copyName = (name: string) => `${name} (copy)`;

/** An agent of the demo platform, with its tests and a goal, and with its first import ordered. Doing it again changes nothing but the platform's address. */
export async function ensureDemoAgent(
  em: EntityManager,
  deps: DemoAgentDeps,
  demo: {
    providerAgentId: string;
    name: string;
    workspaceId: string;
    readOnly: boolean;
    tests: readonly ReadyTest[];
    goal: ReadyGoal | null;
  },
): Promise<DemoAgent> {
  const { workspaceId, providerAgentId, name, readOnly } = demo;
  const connectionId = await ensureDemoConnection(em, {
    workspaceId,
    baseUrl: deps.demoUrl,
    sealKey: (id) => deps.vault.seal(demoKey(workspaceId, readOnly), connectionKeyPlace(workspaceId, id)),
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
      // Nobody asked for what it would cost: who wants it switches it on.
      modelReading: 'off',
    })) ?? (await findAgentByProviderId(em, key));
  if (!agentId) throw new Error('A demo agent is neither new nor there.');
  await ensureDemoTests(em, { workspaceId, agentId }, demo.tests);
  await ensureDemoGoal(em, { workspaceId, agentId }, demo.goal);
  if (await hasImports(em, agentId)) return { agentId, workspaceId, name, importId: null };

  const request = await createImport(em, { workspaceId, agentId, kind: 'first', limit: IMPORT_LIMIT, from: null });
  const coordinator = coordinatorOf({ agentId, workspaceId, name, provider: 'demo' }, deps.polling);
  await addToOutbox(em, { entry: importEntry(coordinator, request), workspaceId, agentId });
  await openPoller(em, agentId, deps.polling);
  return { agentId, workspaceId, name, importId: request.importId };
}
