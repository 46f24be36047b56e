import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { parseJson } from '../parse-json.ts';
import type { SentSpan, Span } from './span.ts';

/** Attributes by which libraries name the call that a span belongs to, the one that names it best first. */
const REFS = [
  'gen_ai.conversation.id',
  'conversation.id',
  'lk.room_sid',
  'lk.job_id',
  'session.id',
  'langfuse.session.id',
  'mlflow.trace.session',
] as const;
const LONGEST_REF = 255;

/** Other names of the same, in whatever form: `traceloop.association.properties.session_id`, `ai.telemetry.metadata.threadId`. */
const NAMED = /(?:^|[._])(conversation|call|room|session|thread|dialog(?:ue)?|chat)[._-]?(?:id|sid|uuid|key)$/;
/** What has ids of its own that are none of a call. A session of LangSmith's traces is a project. */
const OF_OTHERS =
  /(?:^|[._])(?:tools?|functions?|http|rpc|db|mcp|browser|messaging|provider|parent|langsmith[._]trace)[._]/;
/** Which of them names a call best: a session or a thread may go on over several. */
const KINDS = ['conversation', 'call', 'room', 'session', 'thread', 'dialogue', 'dialog', 'chat'];

/** Attributes are read once, however often it is asked what they name. */
const known = new WeakMap<JsonObject, string[]>();

/** What a span calls its call, best first. */
export function callRefsOf({ attributes }: Pick<Span, 'attributes'>): string[] {
  const before = known.get(attributes);
  if (before) return before;
  const named = REFS.map((name) => refOf(attributes[name])).filter((ref) => ref !== null);
  const refs = [...new Set([...named, ...otherRefs(attributes)])];
  known.set(attributes, refs);
  return refs;
}

function otherRefs(attributes: JsonObject): string[] {
  const found: { kind: number; ref: string }[] = [];
  for (const given of [attributes, metadataOf(attributes)]) {
    for (const name in given) {
      const kind = kindOfRef(name, given[name]);
      const ref = kind === null ? null : refOf(given[name]);
      if (kind !== null && ref !== null) found.push({ kind, ref });
    }
  }
  return found.sort((a, b) => a.kind - b.kind).map(({ ref }) => ref);
}

function kindOfRef(name: string, value: Json | undefined): number | null {
  // The operating system's threads have this name too, and numbers for ids.
  if (!/[dy]$/i.test(name) || (name === 'thread.id' && Number.isInteger(Number(value)))) return null;
  const plain = name.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase();
  const kind = NAMED.exec(plain)?.[1];
  return kind === undefined || OF_OTHERS.test(plain) ? null : KINDS.indexOf(kind);
}

const METADATA_LENGTH_MAX = 65_536;

/** What some libraries write of a call beside it, as JSON in one attribute. */
function metadataOf({ metadata }: JsonObject): JsonObject {
  if (isJsonObject(metadata ?? null)) return metadata as JsonObject;
  if (typeof metadata !== 'string' || metadata.length > METADATA_LENGTH_MAX || !metadata.startsWith('{')) return {};
  const parsed = parseJson(metadata);
  return parsed !== undefined && isJsonObject(parsed) ? parsed : {};
}

/** An id, also where it came as a number or alone in a list. */
function refOf(value: Json | undefined): string | null {
  const one = Array.isArray(value) && value.length === 1 ? value[0] : value;
  const ref = typeof one === 'number' ? String(one) : typeof one === 'string' ? one.trim() : '';
  return ref === '' || ref.length > LONGEST_REF ? null : ref;
}

/** Whether a span stands for a whole call: it comes last, as spans are sent when they end. */
export function isWholeCall({ name, scope, attributes }: Pick<SentSpan, 'name' | 'scope' | 'attributes'>): boolean {
  if (name === 'agent_session') return scope.startsWith('livekit') || 'lk.agent_label' in attributes;
  return name === 'conversation' && (scope.startsWith('pipecat') || 'conversation.id' in attributes);
}
