import type { AgentConfiguration } from '../versions/configuration.ts';

/** What of an agent a draft can change: texts that it is told or says. */
export const DRAFT_PART_KINDS = ['prompt', 'first_message', 'step', 'edge', 'tool'] as const;
export type DraftPartKind = (typeof DRAFT_PART_KINDS)[number];

/** One text of a version, by its path: a JSON pointer (RFC 6901) with ids in the place of positions. */
export interface DraftPart {
  path: string;
  kind: DraftPartKind;
  /** Of the step or tool that it belongs to; the kind itself for what there is once. */
  id: string;
  label: string;
  text: string;
}

/** Texts by path that differ from those of the base. */
export type DraftTexts = Readonly<Record<string, string>>;

/** Every text of a version that a draft can change, in the order in which a person reads it. */
export function partsOf(configuration: AgentConfiguration): DraftPart[] {
  const { prompt, firstMessage, nodes, tools } = configuration;
  const steps = nodes.flatMap(({ id, label, text, edges }) => [
    ...part(text, { path: stepPath(id), kind: 'step', id, label }),
    ...edges.flatMap(({ condition, to }, at) =>
      part(condition, {
        path: edgePath(id, at),
        kind: 'edge',
        id,
        label: `${label} → ${to ?? 'nowhere'}`,
      }),
    ),
  ]);
  const described = tools.flatMap(({ id, name, description }) =>
    part(description, { path: toolPath(id), kind: 'tool', id, label: name }),
  );
  const all = [
    ...part(prompt, { path: '/prompt', kind: 'prompt', id: 'prompt', label: 'the prompt' }),
    ...part(saysFirst(configuration) ? firstMessage : null, {
      path: '/firstMessage',
      kind: 'first_message',
      id: 'first_message',
      label: 'the first message',
    }),
    ...steps,
    ...described,
  ];
  // Two parts with one id can't be told apart, so neither can be changed.
  const times = Map.groupBy(all, ({ path }) => path);
  return all.filter(({ path }) => times.get(path)?.length === 1);
}

const part = (text: string | null, of: Omit<DraftPart, 'text'>): DraftPart[] =>
  text === null ? [] : [{ ...of, text }];

/** Of a flow or a squad, the first words are the text of the step that it begins with. */
const saysFirst = ({ kind, nodes }: AgentConfiguration) =>
  kind !== 'squad' && (kind === 'states' || nodes.length === 0);

export const stepPath = (id: string) => `/nodes/${escaped(id)}/text`;
export const edgePath = (id: string, at: number) => `/nodes/${escaped(id)}/edges/${at}/condition`;
export const toolPath = (id: string) => `/tools/${escaped(id)}/description`;

const escaped = (id: string) => id.replaceAll('~', '~0').replaceAll('/', '~1');

/** A configuration with other texts in some of its places. */
export function withTexts(configuration: AgentConfiguration, texts: DraftTexts): AgentConfiguration {
  const textAt = <Text extends string | null>(path: string, standing: Text): Text | string => texts[path] ?? standing;
  return {
    ...configuration,
    prompt: textAt('/prompt', configuration.prompt),
    firstMessage: firstMessageWith(configuration, texts),
    nodes: configuration.nodes.map((node) => ({
      ...node,
      text: textAt(stepPath(node.id), node.text),
      edges: node.edges.map((edge, at) => ({
        ...edge,
        condition: textAt(edgePath(node.id, at), edge.condition),
      })),
    })),
    tools: configuration.tools.map((tool) => ({
      ...tool,
      description: textAt(toolPath(tool.id), tool.description),
    })),
  };
}

function firstMessageWith(configuration: AgentConfiguration, texts: DraftTexts): string | null {
  const { firstMessage, startNodeId, nodes } = configuration;
  if (saysFirst(configuration)) return texts['/firstMessage'] ?? firstMessage;
  const start = nodes.find(({ id }) => id === startNodeId);
  const said = start === undefined ? undefined : texts[stepPath(start.id)];
  return firstMessage !== null && firstMessage === start?.text ? (said ?? firstMessage) : firstMessage;
}

/** Where in the text the thing to change of an issue is; null where a draft can't change it. */
export function pathOfTarget(
  configuration: AgentConfiguration,
  target: { kind: string; id: string; label: string },
): string | null {
  const parts = partsOf(configuration);
  const names = [target.id, target.label];
  const named = (kind: DraftPartKind) =>
    parts.find((one) => one.kind === kind && (names.includes(one.id) || names.includes(one.label)))?.path;
  const everywhere = parts.find(({ kind }) => kind === 'prompt')?.path;
  switch (target.kind) {
    case 'tool':
      return named('tool') ?? stepOfTool(configuration, target.id) ?? null;
    case 'node':
      return named('step') ?? null;
    case 'prompt':
    case 'agent':
      return everywhere ?? null;
    default:
      return null;
  }
}

function stepOfTool({ nodes }: AgentConfiguration, tool: string): string | undefined {
  const step = nodes.find(({ toolName, text }) => toolName === tool && text !== null);
  return step && stepPath(step.id);
}
