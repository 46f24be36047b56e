import type { Json, JsonObject } from '../../../src/domain/json.ts';
import type { Traits } from '../later.ts';
import { answerTool, type LiveTools, type Mock, type ToolAnswer } from './tools.ts';

/** What an agent of the demo works with while it makes one answer. */
export interface Talk {
  /** What the caller said last; null where the agent opens. */
  readonly said: string | null;
  readonly version: number;
  readonly traits: Traits;
  /** The fixed words that the agent begins with; null where its text has none. */
  readonly greeting: string | null;
  /** The demo's present: days are counted from it. */
  readonly nowMs: number;
  /** Which conversation about one test this is, from 1: some faults show in every other one. */
  readonly nth: number;
  /** The step of the flow that is active, or null. */
  readonly step: string | null;
  /**
   * What the stand-ins of the test know that a caller would not say: the value that a call of the tool is expected to
   * have. Stands for what a phone line knows, such as the caller's number, and for the days of the practice's diary.
   */
  expected(tool: string, name: string): string[];
  recall(name: string): string | null;
  keep(name: string, value: string | null): void;
  say(text: string): void;
  goTo(step: string): void;
  call(tool: string, args: JsonObject): ToolAnswer;
  /** Ends the call without a tool, as a flow does. */
  hangUp(): void;
  /** Ends it by the tool for that, which reaches nothing outside of the call. */
  endCall(): void;
}

export interface TalkStart {
  said: string | null;
  version: number;
  traits: Traits;
  greeting: string | null;
  nowMs: number;
  nth: number;
  step: string | null;
  variables: Readonly<Record<string, string>>;
  /** Labels of the steps by id; empty for an agent without a flow. */
  labels: ReadonlyMap<string, string>;
  mocks: readonly Mock[];
  live: LiveTools;
  /** How many messages there are already: makes ids of tool calls that nobody has used. */
  before: number;
}

export interface TalkEnd {
  messages: JsonObject[];
  step: string | null;
  variables: Record<string, string>;
  ended: boolean;
}

export function openTalk(start: TalkStart): { talk: Talk; written(): TalkEnd } {
  const messages: JsonObject[] = [];
  const variables = new Map(Object.entries(start.variables));
  let { step } = start;
  let ended = false;

  const talk: Talk = {
    said: start.said,
    version: start.version,
    traits: start.traits,
    greeting: start.greeting,
    nowMs: start.nowMs,
    nth: start.nth,
    get step() {
      return step;
    },
    expected: (tool, name) =>
      start.mocks.flatMap((mock) => {
        const value = mock.tool === tool ? mock.args?.[name] : undefined;
        return typeof value === 'string' ? [value] : [];
      }),
    recall: (name) => variables.get(name) ?? null,
    keep(name, value) {
      if (value === null) variables.delete(name);
      else variables.set(name, value);
    },
    say(text) {
      messages.push({ role: 'agent', content: text });
    },
    goTo(id) {
      if (id === step) return;
      messages.push({
        role: 'node_transition',
        former_node_id: step ?? 'begin',
        former_node_name: step === null ? 'Begin' : (start.labels.get(step) ?? step),
        new_node_id: id,
        new_node_name: start.labels.get(id) ?? id,
        transition_type: 'normal',
      });
      step = id;
    },
    call(tool, args) {
      const id = `tool_call_${start.before + messages.length + 1}`;
      messages.push({ role: 'tool_call_invocation', tool_call_id: id, name: tool, arguments: JSON.stringify(args) });
      const answer = answerTool(start.mocks, start.live, tool, args);
      const result: Json = { role: 'tool_call_result', tool_call_id: id, content: answer.content };
      messages.push({ ...result, successful: answer.state !== 'failed' });
      return answer;
    },
    hangUp() {
      ended = true;
    },
    endCall() {
      const id = `tool_call_${start.before + messages.length + 1}`;
      messages.push({ role: 'tool_call_invocation', tool_call_id: id, name: 'end_call', arguments: '{}' });
      ended = true;
    },
  };
  return { talk, written: () => ({ messages, step, variables: Object.fromEntries(variables), ended }) };
}
