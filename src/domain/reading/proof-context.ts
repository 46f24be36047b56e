import type { NormalisedCall, Turn } from '../calls/call.ts';
import { readToolUses, type ToolUse } from '../calls/tool-uses.ts';
import type { ToolResultReading } from '../signals/call-analysis.ts';
import { storedText } from '../signals/quotes.ts';
import type { AgentConfiguration } from '../versions/configuration.ts';
import { type AgentText, agentText } from './agent-text.ts';

/** What a proof is checked against: the record, and what the version of the agent is told. */
export interface ProofContext {
  call: NormalisedCall;
  configuration: AgentConfiguration | null;
  text: AgentText;
  /** Uses of tools in order; `ok` as the rules read it. */
  tools: readonly ToolUse[];
  toolResults: ReadonlyMap<number, ToolResultReading>;
  turnAt: ReadonlyMap<number, Turn>;
}

export function proofContext(
  call: NormalisedCall,
  configuration: AgentConfiguration | null,
  toolResults: readonly ToolResultReading[],
): ProofContext {
  return {
    call,
    configuration,
    text: agentText(configuration),
    tools: readToolUses(call, configuration?.tools ?? []),
    toolResults: new Map(toolResults.map((one) => [one.turn, one])),
    turnAt: new Map(call.turns.map((turn) => [turn.index, turn])),
  };
}

/** What was said in a turn, keys included; a tool's text is no speech. */
export function saidIn(turn: Turn): string {
  return turn.role === 'tool' ? '' : turn.text || (turn.dtmf ?? '');
}

/** The name, arguments or result of the tool that a turn holds. */
export function toolTextOf({ toolCall, toolResult }: Turn): string[] {
  return [
    ...(toolCall === null ? [] : [`${toolCall.name} ${storedText(toolCall.args)}`, storedText(toolCall.args)]),
    ...(toolResult === null ? [] : [storedText(toolResult.body)]),
  ];
}
