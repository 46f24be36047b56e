import { isJsonObject, type Json, type JsonObject } from '../../domain/json.ts';
import type { AgentConfiguration, NodeDefinition, ToolDefinition } from '../../domain/versions/configuration.ts';
import { numberOf, shortText, textOf } from '../lenient.ts';
import { readSettings, readVariables } from '../settings.ts';
import { vapiAssistant, vapiMember, vapiModel, vapiSquad, vapiTool } from './payloads.ts';

/** What was read at one moment: an assistant with the tools that it shares with others. */
export interface CapturedAssistant {
  assistant: JsonObject;
  sharedTools: JsonObject[];
}

/** Our reading of a captured assistant; parts that can't be read stay empty, never wrong. */
export function readAssistant(captured: CapturedAssistant, document: JsonObject): AgentConfiguration {
  const assistant = vapiAssistant.parse(captured.assistant);
  return {
    name: assistant.name ?? 'Unnamed assistant',
    kind: 'prompt',
    language: readLanguage(assistant.transcriber?.language),
    prompt: promptOf(captured.assistant),
    firstMessage: assistant.firstMessageMode === 'assistant-waits-for-user' ? null : assistant.firstMessage,
    model: textOf(assistant.model?.model),
    voice: textOf(assistant.voice?.voiceId),
    tools: toolsOf(captured),
    nodes: [],
    startNodeId: null,
    variables: readVariables({}, captured.assistant),
    settings: readSettings(document, TOLD),
  };
}

/** Paths of the document that have a place of their own among the changes. */
const TOLD = [
  'assistant.id',
  'assistant.name',
  'assistant.firstMessage',
  'assistant.model.messages',
  'assistant.model.systemPrompt',
  'assistant.model.model',
  'assistant.model.tools',
  'assistant.voice.voiceId',
  'assistant.transcriber.language',
  'sharedTools',
];

/** A squad is a flow: each member a step, with its prompt as the step's text; the first one takes the call. */
export function readSquad(
  squad: JsonObject,
  members: readonly CapturedAssistant[],
  document: JsonObject,
): AgentConfiguration {
  const read = members.map((member) => readAssistant(member, {}));
  const nodes = members.map((member, index) => toNode(member, read[index], squad, members));
  return {
    name: vapiSquad.parse(squad).name ?? 'Unnamed squad',
    kind: 'squad',
    language: read[0]?.language ?? null,
    prompt: null,
    firstMessage: read[0]?.firstMessage ?? null,
    model: sharedOrList(read.map(({ model }) => model)),
    voice: sharedOrList(read.map(({ voice }) => voice)),
    tools: uniqueById(read.flatMap(({ tools }) => tools)),
    nodes,
    startNodeId: nodes[0]?.id ?? null,
    variables: Object.assign({}, ...read.map(({ variables }) => variables)),
    settings: readSettings(document, ['assistants', 'sharedTools', 'squad.members', 'squad.name', 'squad.id']),
  };
}

function toNode(
  { assistant }: CapturedAssistant,
  reading: AgentConfiguration | undefined,
  squad: JsonObject,
  members: readonly CapturedAssistant[],
): NodeDefinition {
  const id = shortText(assistant.id) ?? shortText(assistant.name) ?? 'member';
  const member = (vapiSquad.parse(squad).members ?? [])
    .map((entry) => vapiMember.safeParse(entry))
    .find(
      (entry) =>
        entry.success &&
        (entry.data.assistantId ?? textOf(entry.data.assistant?.name)) ===
          (textOf(assistant.id) ?? textOf(assistant.name)),
    );
  const destinations = (member?.success ? (member.data.assistantDestinations ?? []) : []).filter(isJsonObject);
  return {
    id,
    label: reading?.name ?? id,
    kind: 'assistant',
    text: reading?.prompt ?? null,
    toolName: null,
    edges: destinations.map((destination) => ({
      to: memberNamed(members, textOf(destination.assistantId) ?? textOf(destination.assistantName)),
      condition: textOf(destination.description),
    })),
  };
}

function memberNamed(members: readonly CapturedAssistant[], reference: string | null): string | null {
  const found = members.find(({ assistant }) => assistant.id === reference || assistant.name === reference);
  return shortText(found?.assistant.id) ?? reference;
}

function promptOf(assistant: JsonObject): string | null {
  const model = vapiModel.parse(isJsonObject(assistant.model) ? assistant.model : {});
  const texts = (model.messages ?? []).flatMap((message) =>
    isJsonObject(message) && message.role === 'system' ? [textOf(message.content) ?? ''] : [],
  );
  return texts.length > 0 ? texts.join('\n\n') : model.systemPrompt;
}

function toolsOf({ assistant, sharedTools }: CapturedAssistant): ToolDefinition[] {
  const model = vapiModel.parse(isJsonObject(assistant.model) ? assistant.model : {});
  const inline = (model.tools ?? []).filter(isJsonObject);
  return uniqueById([...inline, ...sharedTools].flatMap(toTool));
}

function toTool(entry: JsonObject): ToolDefinition[] {
  const tool = vapiTool.parse(entry);
  const name = textOf(tool.function?.name) ?? tool.name ?? tool.type;
  if (name === null) return [];
  const seconds = tool.timeoutSeconds ?? numberOf(tool.server?.timeoutSeconds);
  return [
    {
      id: tool.id ?? name,
      name,
      description: textOf(tool.function?.description) ?? '',
      kind: toolKind(tool.type),
      parameters: (tool.function?.parameters ?? null) satisfies Json,
      timeoutMs: seconds === null ? null : Math.round(seconds * 1000),
      speaksDuring: tool.messages === null ? null : tool.messages.some(isSaidAtStart),
    },
  ];
}

const isSaidAtStart = (message: unknown) => isJsonObject(message) && message.type === 'request-start';

function toolKind(type: string | null): ToolDefinition['kind'] {
  if (type === 'transferCall') return 'transfer';
  return type === 'endCall' ? 'end_call' : 'other';
}

function uniqueById(tools: readonly ToolDefinition[]): ToolDefinition[] {
  return [...new Map(tools.map((tool) => [tool.id, tool])).values()];
}

/** One value where all members share it, else all of them in their order. */
function sharedOrList(values: readonly (string | null)[]): string | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : [...new Set(known)].join(', ');
}

function readLanguage(value: Json | undefined): string | null {
  const language = shortText(value, 35);
  return language === null || language === 'multi' ? null : language;
}
