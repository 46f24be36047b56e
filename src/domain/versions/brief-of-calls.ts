import type { PlaceKind } from '../vocabulary.ts';
import { type Brief, ITEMS_AT_MOST } from './brief.ts';
import type { AgentConfiguration, NodeDefinition, ToolDefinition } from './configuration.ts';
import { toolKindOf } from './tool-kind.ts';

/** A tool or step of the agent that its calls reached. */
export interface Reached {
  kind: PlaceKind;
  placeId: string;
  label: string;
}

/** What the agent is told, with the tools and steps that only its calls show, in the order given. */
export function withCalls(
  told: AgentConfiguration | null,
  name: string,
  reached: readonly Reached[],
): AgentConfiguration {
  const configuration = told ?? { ...NOTHING_TOLD, name };
  const known = new Set(configuration.tools.flatMap((tool) => [tool.id, tool.name]));
  const of = (kind: PlaceKind) => reached.filter((place) => place.kind === kind);
  const tools = of('tool').filter(({ placeId, label }) => !known.has(placeId) && !known.has(label));
  return {
    ...configuration,
    tools: [...configuration.tools, ...tools.map(toTool)],
    nodes: configuration.nodes.length > 0 ? configuration.nodes : of('node').map(toNode),
  };
}

/** What callers asked for, most calls first, after what the text says they will. */
export function withCallers(brief: Brief, intents: readonly { label: string }[]): Brief {
  const expected = new Set(brief.intents.map((intent) => intent.toLowerCase()));
  const asked = intents.map(({ label }) => label).filter((label) => !expected.has(label.toLowerCase()));
  return { ...brief, intents: [...brief.intents, ...asked].slice(0, ITEMS_AT_MOST) };
}

const NOTHING_TOLD: Omit<AgentConfiguration, 'name'> = {
  language: null,
  prompt: null,
  firstMessage: null,
  model: null,
  voice: null,
  tools: [],
  nodes: [],
  startNodeId: null,
  variables: {},
};

const toTool = ({ placeId, label }: Reached): ToolDefinition => ({
  id: placeId,
  name: label,
  description: '',
  kind: toolKindOf(label),
  parameters: null,
  timeoutMs: null,
  speaksDuring: null,
});

const toNode = ({ placeId, label }: Reached): NodeDefinition => ({
  id: placeId,
  label,
  kind: 'step',
  text: null,
  toolName: null,
  edges: [],
});
