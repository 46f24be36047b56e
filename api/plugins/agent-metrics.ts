import { Gauge, type Registry } from 'prom-client';
import type { QualityOfAll } from '../../src/operations/system/read-agent-quality.ts';

const AGENT = ['workspace', 'agent'] as const;

/** How well the agents do, by their ids: names are words of customers. Shares that nobody can know have no sample. */
export function addAgentMetrics(registers: Registry): (quality: QualityOfAll) => void {
  const gauge = (name: string, help: string) =>
    new Gauge({ name: `earshot_agent_${name}`, help, labelNames: AGENT, registers: [registers] });
  const calls = gauge('calls', 'Analysed calls of the last 30 days.');
  const issues = gauge('issues_open', 'Issues that stand on the board of the agent.');
  const toolFailure = gauge('tool_failure_ratio', 'Share of calls with a failed tool among those that used one.');
  const friction = gauge('friction_ratio', 'Share of calls on which the talk itself went wrong somewhere.');
  const outcome = new Gauge({
    name: 'earshot_agent_outcome_ratio',
    help: 'Share of calls that ended so, among those with contact; no_contact among all.',
    labelNames: [...AGENT, 'outcome'] as const,
    registers: [registers],
  });
  const leftOut = new Gauge({
    name: 'earshot_agents_left_out',
    help: 'Agents with calls of the last 30 days that are not told of: those with the fewest.',
    registers: [registers],
  });

  return (quality) => {
    for (const one of [calls, issues, toolFailure, friction, outcome]) one.reset();
    leftOut.set(quality.leftOut);
    for (const { workspaceId: workspace, agentId: agent, ...of } of quality.agents) {
      calls.set({ workspace, agent }, of.calls);
      issues.set({ workspace, agent }, of.openIssues);
      if (of.toolFailure !== null) toolFailure.set({ workspace, agent }, of.toolFailure);
      if (of.friction !== null) friction.set({ workspace, agent }, of.friction);
      for (const [name, share] of Object.entries(of.outcomes)) {
        if (share !== null) outcome.set({ workspace, agent, outcome: name }, share);
      }
    }
  };
}
