import { type AgentSignals, agentSignals } from '../../contract/signal-label.ts';
import { readRules } from '../../db/agents/agent-source.ts';
import { countLabels } from '../../db/labels/signal-labels.ts';
import { CATALOGUE, thresholdsOf } from '../../domain/signals/catalogue.ts';
import type { CatalogueEntry } from '../../domain/signals/catalogue-entry.ts';
import { defineOperation } from '../operation.ts';
import { presentPrecision } from './present-label.ts';

export const listAgentSignals = defineOperation({
  id: 'listAgentSignals',
  surface: 'app',
  method: 'GET',
  path: '/app/agents/{agentId}/signals',
  scope: 'person',
  tag: 'Signals',
  summary: 'Read the catalogue as it holds for an agent',
  description:
    'Every code with the thresholds in force, what it needs and is not, the causes that can be established, and how often people found it right.',
  response: agentSignals,
  async run(context): Promise<AgentSignals> {
    const { em, agent } = context;
    const { thresholds, phraseRules } = await readRules(em, agent.id);
    const labels = await countLabels(em, agent.id);
    const entries = [...CATALOGUE.values()].toSorted((a, b) => (a.code < b.code ? -1 : 1));
    return {
      object: 'agent_signals',
      phraseRules,
      signals: entries.map((entry) => ({
        code: entry.code,
        title: entry.title,
        klass: entry.klass,
        lane: entry.lane,
        severity: entry.severity,
        isNot: entry.isNot,
        needs: [...entry.needs],
        thresholds: presentThresholds(entry, thresholdsOf(entry, thresholds)),
        causes: [...new Map(entry.causes.map(({ code, label }) => [code, { code, label }])).values()],
        precision: presentPrecision(labels.get(entry.code)),
      })),
    };
  },
});

function presentThresholds(entry: CatalogueEntry, inForce: Record<string, number>) {
  return Object.entries(entry.thresholds).map(([name, usual]) => {
    const value = inForce[name] ?? usual;
    return { name, value, usual, changed: value !== usual };
  });
}
