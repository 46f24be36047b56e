import type { JsonObject } from '../../src/domain/json.ts';
import { type DemoAgent, demoAgents } from './agents.ts';
import { type DemoCall, LATER_SPAN_MS, writeCalls, writeLaterCalls } from './calls.ts';
import { NO_TRAITS, type Traits, traitsOf, traitsOfText } from './later.ts';

/** Everything that the demo platform shows to one account. */
export interface DemoStore {
  endMs: number;
  agents: ReadonlyMap<string, DemoAgent>;
  /** By agent, newest start first; calls without a start come last. */
  calls: ReadonlyMap<string, readonly DemoCall[]>;
  callById: ReadonlyMap<string, DemoCall>;
}

/** A version that somebody had published after the planned ones. */
export interface Published {
  account: string;
  agentId: string;
  /** Of whoever asked, so that asking again publishes nothing more. */
  requestId: string;
  atMs: number;
  /** What the agent says from then on, where somebody wrote it; else the next planned change. */
  engine?: JsonObject;
}

export function createDemoStore(endMs: number): DemoStore {
  const agents = new Map(demoAgents().map((agent) => [agent.plan.providerAgentId, agent]));
  const calls = new Map([...agents].map(([id, { plan }]) => [id, writeCalls(plan, endMs)]));
  return storeOf(endMs, agents, calls);
}

/** The shared store with what one account has published, oldest first. */
export function withPublished(shared: DemoStore, account: string, published: readonly Published[]): DemoStore {
  const agents = new Map<string, DemoAgent>();
  const calls = new Map<string, readonly DemoCall[]>();
  for (const [id, agent] of shared.agents) {
    const own = published.filter(({ agentId }) => agentId === id);
    const extended = withVersions(agent, own);
    const later = own.flatMap(({ atMs }, at) => {
      const version = extended.versions[agent.versions.length + at] ?? 0;
      const traits = extended.traits(version);
      const seed = `${account}/${version}/`;
      return writeLaterCalls(agent.plan, { kinds: agent.later.kinds(traits), version, seed, untilMs: atMs });
    });
    agents.set(id, extended);
    calls.set(id, [...(shared.calls.get(id) ?? []), ...later]);
  }
  return storeOf(shared.endMs, agents, calls);
}

function withVersions(agent: DemoAgent, published: readonly Published[]): DemoAgent {
  const newest = agent.versions.at(-1) ?? 0;
  const written = (version: number) => published[version - newest - 1]?.engine;
  const traits = (version: number): Traits => {
    if (version <= newest) return NO_TRAITS;
    const engine = written(version);
    return engine ? traitsOfText(agent.later, engine, traits(version - 1)) : traitsOf(agent.later, version - newest);
  };
  return {
    ...agent,
    traits,
    versions: [...agent.versions, ...published.map((_, at) => newest + at + 1)],
    engine(version) {
      const engine = written(version);
      return engine ? { ...agent.engine(version), ...engine, version } : agent.engine(version, traits(version));
    },
    settings(version, endMs) {
      const settings = agent.settings(version, endMs);
      const later = published[version - newest - 1];
      return later ? { ...settings, last_modification_timestamp: later.atMs - LATER_SPAN_MS } : settings;
    },
  };
}

function storeOf(endMs: number, agents: DemoStore['agents'], calls: DemoStore['calls']): DemoStore {
  const ordered = new Map([...calls].map(([id, some]) => [id, some.toSorted(newestFirst)]));
  const callById = new Map([...ordered.values()].flat().map((call) => [call.callId, call]));
  return { endMs, agents, calls: ordered, callById };
}

export function newestFirst(a: DemoCall, b: DemoCall): number {
  if (a.startMs === b.startMs) return a.callId < b.callId ? -1 : 1;
  if (a.startMs === null) return 1;
  return b.startMs === null ? -1 : b.startMs - a.startMs;
}
