import { isJsonObject, type Json, type JsonObject } from '../../domain/json.ts';
import { asObject, textOf } from '../values.ts';

/** What the content of a message holds. */
export interface Parts {
  /** Undefined where the message has no content at all; what is neither text nor parts is given back as it is. */
  text: Json | undefined;
  calls: JsonObject[];
  results: JsonObject[];
  /** Somebody is heard, whether or not there are words of it. */
  isAudio: boolean;
  /** It holds only what nobody hears, such as what a model thought. */
  skipped: boolean;
}

const THOUGHTS = new Set(['thinking', 'redacted_thinking', 'reasoning', 'reasoning_content']);
const AUDIO = /audio/;

/** Reads text, or the parts of OpenAI, Anthropic, Gemini, LiveKit and of the GenAI conventions. */
export function readParts(content: Json | undefined): Parts {
  const read: Parts = { text: undefined, calls: [], results: [], isAudio: false, skipped: false };
  if (content === undefined) return read;
  const parts = isJsonObject(content) && isPart(content) ? [content] : content;
  if (!Array.isArray(parts)) return { ...read, text: parts };
  const texts: string[] = [];
  let thoughts = 0;
  for (const part of parts) {
    if (typeof part === 'string') texts.push(part);
    else if (isJsonObject(part)) {
      if (THOUGHTS.has(textOf(part.type) ?? '') || part.thought === true) thoughts += 1;
      else readPart(part, read, texts);
    }
  }
  // Parts of a kind that nobody knows here may hold words: that is not silence.
  const isUnknown = texts.length === 0 && !read.isAudio && read.calls.length + read.results.length === 0;
  if (isUnknown && parts.some((part) => isJsonObject(part) && !isKnown(part))) return { ...read, text: null };
  return { ...read, text: texts.join(' '), skipped: thoughts > 0 && thoughts === parts.length };
}

/** What is shown and not said. */
const SHOWN = /image|file|document|video|cache/i;

function isKnown(part: JsonObject): boolean {
  const type = textOf(part.type) ?? '';
  if (THOUGHTS.has(type) || part.thought === true || SHOWN.test(type) || type === 'refusal') return true;
  return 'text' in part || 'transcript' in part || Object.keys(part).every((name) => SHOWN.test(name));
}

const PART = [
  'type',
  'text',
  'toolUse',
  'toolResult',
  'transcript',
  'functionCall',
  'function_call',
  'functionResponse',
  'function_response',
];

const isPart = (content: JsonObject) => PART.some((name) => name in content);

function readPart(part: JsonObject, into: Parts, texts: string[]): void {
  const type = textOf(part.type) ?? '';
  const call = part.functionCall ?? part.function_call ?? part.toolUse;
  const response = part.functionResponse ?? part.function_response;
  if (isJsonObject(call)) into.calls.push(call);
  else if (isJsonObject(part.toolResult)) {
    const { status } = part.toolResult;
    into.results.push({ ...part.toolResult, ...(typeof status === 'string' ? { is_error: status === 'error' } : {}) });
  } else if (isJsonObject(response)) into.results.push(response);
  else if (type === 'tool_use' || type === 'tool_call' || type === 'tool-call' || type === 'server_tool_use') {
    into.calls.push(part);
  } else if (type.endsWith('tool_result') || type === 'tool_call_response' || type === 'tool-result') {
    into.results.push(part);
  } else {
    if (AUDIO.test(type)) into.isAudio = true;
    const text =
      textOf(part.text) ??
      textOf(asObject(part.text).value) ??
      textOf(part.transcript) ??
      textOf(part.content) ??
      textOf(part.refusal);
    if (text !== null) texts.push(text);
  }
}
