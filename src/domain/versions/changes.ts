import type { Place } from '../signals/signal.ts';
import type { AgentConfiguration, KnowledgeSource, NodeDefinition, ToolDefinition } from './configuration.ts';
import { changeOfEdges } from './edge-changes.ts';
import { lineChanges } from './line-changes.ts';
import type { ChangeKind, Part, VersionChange } from './version-change.ts';

const PROMPT: Place = { kind: 'prompt', id: 'prompt', label: 'the prompt' };

const AGENT: Place = { kind: 'agent', id: 'agent', label: 'the agent' };

const MODEL: Place = { kind: 'platform', id: 'language_model', label: 'the language model' };

const VOICE: Place = { kind: 'platform', id: 'speech_synthesis', label: 'speech synthesis' };

const PLATFORM: Place = { kind: 'platform', id: 'platform', label: 'the voice platform' };

/** Every difference between two captured configurations, steps first, in a fixed order. */
export function changesBetween(before: AgentConfiguration, after: AgentConfiguration): VersionChange[] {
  return [
    ...nodeChanges(before, after),
    ...changeOfEdges(before, after),
    ...toolChanges(before.tools, after.tools),
    ...promptChanges(before, after),
    ...(before.knowledge && after.knowledge ? knowledgeChanges(before.knowledge, after.knowledge) : []),
    ...variableChanges(before.variables, after.variables),
    ...scalar('model_changed', MODEL, 'Language model', before.model, after.model),
    ...scalar('voice_changed', VOICE, 'Voice', before.voice, after.voice),
    ...scalar('setting_changed', AGENT, 'Language', before.language, after.language),
    ...scalar('setting_changed', AGENT, 'Name', before.name, after.name),
    ...scalar('setting_changed', AGENT, 'First step', before.startNodeId, after.startNodeId),
    ...(before.kind && after.kind ? scalar('setting_changed', AGENT, 'Kind of agent', before.kind, after.kind) : []),
    // A version that was captured before settings were read says nothing about them.
    ...(before.settings && after.settings ? settingChanges(before.settings, after.settings) : []),
  ];
}

function nodeChanges(before: AgentConfiguration, after: AgentConfiguration): VersionChange[] {
  const place = ({ id, label }: NodeDefinition): Place => ({ kind: 'node', id, label });
  return matchById(before.nodes, after.nodes).flatMap(([old, now]): VersionChange[] => {
    if (!old && now) return [added('node', place(now), `Step “${now.label}” was added`, now.text ?? now.kind)];
    if (old && !now) return [removed('node', place(old), `Step “${old.label}” was removed`, old.text ?? old.kind)];
    if (!old || !now) return [];
    return [
      ...scalar('node_changed', place(now), 'Name of the step', old.label, now.label),
      ...scalar('node_changed', place(now), 'Kind of the step', old.kind, now.kind),
      ...scalar('node_changed', place(now), 'Tool of the step', old.toolName, now.toolName),
      ...lineChanges(old.text ?? '', now.text ?? '').map(
        (line): VersionChange => ({
          kind: 'node_changed',
          place: place(now),
          detail: `Text of step “${now.label}”, line ${line.after?.line ?? line.before?.line}`,
          before: line.before?.text ?? null,
          after: line.after?.text ?? null,
        }),
      ),
    ];
  });
}

function toolChanges(before: readonly ToolDefinition[], after: readonly ToolDefinition[]): VersionChange[] {
  const place = ({ id, name }: ToolDefinition): Place => ({ kind: 'tool', id, label: name });
  return matchById(before, after).flatMap(([old, now]): VersionChange[] => {
    if (!old && now) return [added('tool', place(now), `Tool ${now.name} was added`, now.description)];
    if (old && !now) return [removed('tool', place(old), `Tool ${old.name} was removed`, old.description)];
    if (!old || !now) return [];
    const field = (label: string, was: string | null, is: string | null) =>
      scalar('tool_changed', place(now), `${label} of tool ${now.name}`, was, is);
    return [
      ...field('Name', old.name, now.name),
      ...field('Description', old.description, now.description),
      ...field('Kind', old.kind, now.kind),
      ...field('Arguments', inWords(old.parameters), inWords(now.parameters)),
      ...field('Time limit (ms)', inWords(old.timeoutMs), inWords(now.timeoutMs)),
      ...field('Speaks while it runs', inWords(old.speaksDuring), inWords(now.speaksDuring)),
    ];
  });
}

function promptChanges(before: AgentConfiguration, after: AgentConfiguration): VersionChange[] {
  const lines = lineChanges(before.prompt ?? '', after.prompt ?? '').map((line): VersionChange => {
    const verb = line.before === null ? 'added' : line.after === null ? 'removed' : 'changed';
    return {
      kind: `prompt_${verb}`,
      place: PROMPT,
      detail: `Prompt, line ${line.after?.line ?? line.before?.line} ${verb === 'changed' ? 'was changed' : `was ${verb}`}`,
      before: line.before?.text ?? null,
      after: line.after?.text ?? null,
    };
  });
  return [...lines, ...scalar('prompt_changed', PROMPT, 'First message', before.firstMessage, after.firstMessage)];
}

function knowledgeChanges(before: readonly KnowledgeSource[], after: readonly KnowledgeSource[]): VersionChange[] {
  const place = ({ id, label }: KnowledgeSource): Place => ({ kind: 'knowledge', id, label });
  return matchById(before, after).flatMap(([old, now]): VersionChange[] => {
    if (!old && now) return [added('knowledge', place(now), `Knowledge “${now.label}” was added`, now.label)];
    if (old && !now) return [removed('knowledge', place(old), `Knowledge “${old.label}” was removed`, old.label)];
    if (!old || !now) return [];
    return [
      ...scalar('knowledge_changed', place(now), 'Name of the knowledge', old.label, now.label),
      ...scalar('knowledge_changed', place(now), `Content of “${now.label}”`, old.digest, now.digest),
    ];
  });
}

type Variables = AgentConfiguration['variables'];

function variableChanges(before: Variables, after: Variables): VersionChange[] {
  return namesOf(before, after).flatMap((name): VersionChange[] => {
    const place: Place = { kind: 'agent', id: `variable:${name}`, label: `variable ${name}` };
    const [was, is] = [before[name], after[name]];
    if (was === undefined) return [added('variable', place, `Variable ${name} was added`, is ?? 'no default')];
    if (is === undefined) return [removed('variable', place, `Variable ${name} was removed`, was ?? 'no default')];
    return scalar('variable_changed', place, `Default of variable ${name}`, was, is);
  });
}

function settingChanges(before: Record<string, string>, after: Record<string, string>): VersionChange[] {
  return namesOf(before, after).flatMap((path) =>
    scalar('setting_changed', PLATFORM, `Setting ${path}`, before[path] ?? null, after[path] ?? null),
  );
}

function scalar(
  kind: ChangeKind,
  place: Place,
  label: string,
  before: string | null,
  after: string | null,
): VersionChange[] {
  return before === after ? [] : [{ kind, place, detail: `${label} was changed`, before, after }];
}

const added = (part: Part, place: Place, detail: string, after: string): VersionChange => ({
  kind: `${part}_added`,
  place,
  detail,
  before: null,
  after,
});

const removed = (part: Part, place: Place, detail: string, before: string): VersionChange => ({
  kind: `${part}_removed`,
  place,
  detail,
  before,
  after: null,
});

/** Pairs of one id, in the order of the later list; what is gone comes last. */
function matchById<Item extends { id: string }>(
  before: readonly Item[],
  after: readonly Item[],
): [Item | undefined, Item | undefined][] {
  const old = new Map(before.map((item) => [item.id, item]));
  const now = new Map(after.map((item) => [item.id, item]));
  const kept = [...now].map(([id, item]): [Item | undefined, Item | undefined] => [old.get(id), item]);
  const gone = [...old].filter(([id]) => !now.has(id)).map(([, item]): [Item, undefined] => [item, undefined]);
  return [...kept, ...gone];
}

function namesOf(before: object, after: object): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
}

function inWords(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value);
}
