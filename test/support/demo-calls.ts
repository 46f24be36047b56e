import { demoAgents } from '../../packages/demo-platform/agents.ts';
import { createDemoStore } from '../../packages/demo-platform/store.ts';
import type { NormalisedCall } from '../../src/domain/calls/call.ts';
import { analyseCall } from '../../src/domain/signals/analyse-call.ts';
import type { CallAnalysis } from '../../src/domain/signals/call-analysis.ts';
import type { AgentConfiguration } from '../../src/domain/versions/configuration.ts';
import { readConfiguration } from '../../src/platforms/retell/configuration.ts';
import { normaliseRetell } from '../../src/platforms/retell/normalise.ts';

export interface ReadDemoCall {
  call: NormalisedCall;
  configuration: AgentConfiguration | null;
  analysis: CallAnalysis;
}

/** The calls of the demo agents that are over, as the rules read them. @param oneIn 1: all of them. */
export function readDemoCalls(nowMs: number, oneIn = 1): ReadDemoCall[] {
  const { calls } = createDemoStore(nowMs);
  return demoAgents().flatMap((agent) => {
    const configurations = new Map(
      agent.versions.map((version) => [
        version,
        readConfiguration({ agent: agent.settings(version, nowMs), engine: agent.engine(version), components: [] }),
      ]),
    );
    const over = (calls.get(agent.plan.providerAgentId) ?? []).filter(({ state }) => state === 'over');
    const some = over.filter((_, index) => index % oneIn === 0);
    return some.map(({ payload }) => {
      const call = normaliseRetell(payload, nowMs);
      const configuration = configurations.get(call.version) ?? null;
      return {
        call,
        configuration,
        analysis: analyseCall({ call, configuration, callerHistory: null, agentCosts: null }, {}),
      };
    });
  });
}
