import type { ToolDefinition } from '../versions/configuration.ts';
import type { Sentence } from './grammar.ts';
import { CALL, type Given, type Read, takeQuoted } from './sentence-parts.ts';
import type { WatchExpectation, WatchForm } from './watch.ts';

const BEFORE = ['before', 'prior'];

/** "Call A before B", "before B ask for X", "confirm before B", and "never B before …": asked of the calls that came to B. */
export function takeOrder(sentence: Sentence, { polarity }: Given): Read | null {
  if (polarity === 'must' && sentence.take('before|prior hang|hanging up', 'before|prior end|ending')) return null;
  const isLeading = polarity === 'must' && sentence.beginsWith(...BEFORE);
  const leading = isLeading ? sentence.take(`before|prior ${CALL}? <tool>`) : null;
  const parts = leading
    ? null
    : sentence.split(...BEFORE, ...(polarity === 'must' ? [] : ['until', 'without', 'unless']));
  if (leading === null && parts === null) return null;
  const isTurned = polarity === 'must_not';
  const [first, later] = parts === null ? [sentence, null] : isTurned ? [parts[1], parts[0]] : parts;
  const tools = [...(leading?.tools ?? [])];
  const more = later ?? sentence;
  for (let found = takeTool(more, later === null); found; found = takeTool(more, later === null)) tools.push(...found);
  // "Never … before" something that is no tool allows it somewhere: neither the one nor the other is forbidden by itself.
  if (tools.length === 0) return { forms: [], unread: unreadOf(first, later) };
  const expectation = firstOf(first, tools[0]?.name ?? '');
  const forms = expectation === null ? [] : tools.map(({ name }) => movedTo(expectation, name));
  return { forms, unread: unreadOf(first, later) };
}

const unreadOf = (...parts: (Sentence | null)[]) => parts.flatMap((part) => part?.unread() ?? []);

/** @param isList only what "or" joins to the tool before. */
function takeTool(sentence: Sentence, isList: boolean): readonly ToolDefinition[] | null {
  const found = isList
    ? sentence.take('or <tool>')
    : sentence.take(`${CALL} <tool>`, '<tool> called|used|run', '<tool>');
  return found?.tools ?? null;
}

/** What comes first is the same for each of several tools. */
function movedTo(expectation: WatchExpectation, tool: string): WatchForm {
  const moved = 'before' in expectation ? { ...expectation, before: tool } : expectation;
  return { scope: { kind: 'tool_called', tool }, expectation: moved, polarity: 'must' };
}

const CONFIRMS = [
  'confirm|confirmed|confirmation|consent|agree|agreement|approval',
  'read|reading|repeat back',
  'say|says yes',
];
const ASKS = 'ask|collect|get|getting|gather|obtain|know|knowing|take|taking';

/** What has to come first. */
function firstOf(first: Sentence, before: string): WatchExpectation | null {
  const quoted = takeQuoted(first);
  if (quoted) return { ...quoted, before };
  // "Verify_identity" is a tool, "confirm the date" asks the caller: a tool's name goes before words of asking.
  const named = first.take(`${CALL} <named> first?`, '<named> called|used|run first?', '<named> first?');
  const [tool] = named?.tools ?? [];
  if (tool) return tool.name === before ? null : { kind: 'tool_called_before', tool: tool.name, before };
  const confirms =
    first.take(...CONFIRMS) ??
    (first.has('read|repeat <word> back') || first.has('read|repeat <word> <word> back')
      ? first.take('read|repeat')
      : null);
  if (confirms) {
    first.take('back');
    const of = first.takeRest(4);
    return { kind: 'asks_for', confirmation: true, before, ...(of && { of }) };
  }
  if (first.take(`${ASKS} about?`)) {
    const words = first.takeRest(4);
    return words && { kind: 'asks_for', words, before };
  }
  const meant = first.take('<tool> first?')?.tools[0];
  return meant && meant.name !== before ? { kind: 'tool_called_before', tool: meant.name, before } : null;
}
