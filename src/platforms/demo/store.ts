import { type DemoAgent, demoAgents } from './agents.ts';
import { type DemoCall, writeCalls } from './calls.ts';

/** Everything that the demo platform serves, written once at its start. */
export interface DemoStore {
  endMs: number;
  agents: ReadonlyMap<string, DemoAgent>;
  /** By agent, newest start first; calls without a start come last. */
  calls: ReadonlyMap<string, readonly DemoCall[]>;
  callById: ReadonlyMap<string, DemoCall>;
}

export function createDemoStore(endMs: number): DemoStore {
  const agents = new Map(demoAgents().map((agent) => [agent.plan.providerAgentId, agent]));
  const calls = new Map<string, readonly DemoCall[]>();
  const callById = new Map<string, DemoCall>();
  for (const [id, agent] of agents) {
    const written = writeCalls(agent.plan, endMs).toSorted(newestFirst);
    calls.set(id, written);
    for (const call of written) callById.set(call.callId, call);
  }
  return { endMs, agents, calls, callById };
}

export function newestFirst(a: DemoCall, b: DemoCall): number {
  if (a.startMs === b.startMs) return a.callId < b.callId ? -1 : 1;
  if (a.startMs === null) return 1;
  return b.startMs === null ? -1 : b.startMs - a.startMs;
}
