import { metricsOfCall } from '../../contract/custom-metric.ts';
import { readFacts } from '../../db/custom-metrics/compute.ts';
import { readValuesOfCalls, type ValueOfCall } from '../../db/custom-metrics/values.ts';
import { FACTS, METADATA, METADATA_TYPE } from '../../domain/custom-metrics/facts.ts';
import type { Json } from '../../domain/json.ts';
import { callParent } from '../calls/parent.ts';
import { defineOperation } from '../operation.ts';
import { presentValue } from './present.ts';

export const getCallCustomMetrics = defineOperation({
  id: 'getCallCustomMetrics',
  surface: 'v1',
  method: 'GET',
  path: '/v1/agents/{agentId}/calls/{callId}/custom-metrics',
  scope: 'read',
  tag: 'Metrics',
  summary: 'Read the custom metrics of a call',
  description:
    'What each metric of the agent says of one call, by slug, and the facts that formulas can name with their values on this call.',
  whenToUse: 'Call it to see what custom metrics say of one call, or to write a formula.',
  parents: [callParent],
  response: metricsOfCall,
  async run(context) {
    const { em, agent } = context;
    const { id: callId } = context.parent(callParent);
    const [call] = await readFacts(em, agent.id, [callId], true);
    const facts = Object.entries(FACTS).map(([name, { type, about, of }]) => {
      const value = call ? of(call.facts) : undefined;
      return { name, type, about, value: jsonOf(value) };
    });
    return {
      object: 'call_custom_metrics' as const,
      callId,
      values: (await readValuesOfCalls(em, [callId])).map((value) => ({
        slug: value.slug,
        name: value.name,
        version: value.version,
        answer: value.answer,
        unit: value.unit,
        isBad: isBad(value),
        ...presentValue(value.answer, value),
      })),
      facts: [
        ...facts,
        {
          name: METADATA,
          type: METADATA_TYPE,
          about: 'Variables with which the call began.',
          value: call?.variables ?? null,
        },
      ],
    };
  },
});

function jsonOf(value: unknown): Json {
  if (value instanceof Date) return value.toISOString();
  return value === undefined ? null : (value as Json);
}

/** Of a number nobody says where the bad ones begin. */
function isBad({ state, answer, better, number, label, badLabels }: ValueOfCall): boolean | null {
  if (state !== 'value') return null;
  if (answer === 'yes_no' && better !== 'neither') return (number === 1) === (better === 'lower');
  return label !== null && badLabels.length > 0 ? badLabels.includes(label) : null;
}
