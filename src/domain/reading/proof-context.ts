import type { NormalisedCall, Turn } from '../calls/call.ts';
import type { CallBase } from '../calls/call-base.ts';
import { storedText } from '../calls/quotes.ts';
import { readTurns } from '../calls/read-turns.ts';
import { readToolUses, type ToolUse } from '../calls/tool-uses.ts';
import { resultLeaves } from '../calls/use-leaves.ts';
import { once } from '../once.ts';
import type { AgentConfiguration } from '../versions/configuration.ts';
import { type AgentText, agentText } from './agent-text.ts';
import { type FoundQuote, quotesOf } from './quotes.ts';
import { type Told, toldIn } from './told.ts';

/** What a proof is checked against: the record, and what the version of the agent is told. */
export interface ProofContext {
  call: NormalisedCall;
  configuration: AgentConfiguration | null;
  text: AgentText;
  /** Looks for a quote in the lines of the agent's text, one below the other. */
  inText: (quote: string) => FoundQuote | null;
  /** Uses of tools in order; `ok` as the rules read it. */
  tools: readonly ToolUse[];
  turnAt: ReadonlyMap<number, Turn>;
  /** The turns as the rules read them; read when a proof first asks. */
  talk: () => CallBase;
  /** What the agent may have a value from, with the turn from which on; -1 where it has it from the beginning. */
  sources: () => readonly Source[];
}

export interface Source {
  turn: number;
  text: string;
  told: Told;
}

export function proofContext(call: NormalisedCall, configuration: AgentConfiguration | null): ProofContext {
  const text = agentText(configuration);
  const talk = once(() => readTurns({ call, configuration }));
  return {
    call,
    configuration,
    text,
    inText: quotesOf(text.lines.join('\n')),
    tools: readToolUses(call, configuration?.tools ?? []),
    turnAt: new Map(call.turns.map((turn) => [turn.index, turn])),
    talk,
    sources: once(() => sourcesOf(talk(), text.all)),
  };
}

/** The agent's text, what the call began with, the caller's words and keys, and results. */
function sourcesOf({ call, caller, tools, language }: CallBase, lines: readonly string[]): Source[] {
  const given = [...Object.values(call.variables ?? {}), call.callerNumber ?? '', call.startedAt ?? ''];
  const texts: [turn: number, text: string][] = [
    ...[...lines, ...given].map((line): [number, string] => [-1, line]),
    ...caller.map(({ index, turn }): [number, string] => [index, turn.text]),
    ...call.turns.flatMap(({ index, dtmf }): [number, string][] => (dtmf === null ? [] : [[index, dtmf]])),
    ...tools.flatMap((use) =>
      use.resultTurn === null
        ? []
        : resultLeaves(use).map(({ value }): [number, string] => [use.resultTurn ?? 0, String(value)]),
    ),
  ];
  // Prompts and results are in English in any language of the talk.
  const languages = language === 'en' ? ['en'] : [language, 'en'];
  return texts.flatMap(([turn, text]) =>
    (text.match(PIECES) ?? []).flatMap((piece) =>
      languages.map((one) => ({ turn, text: piece, told: toldIn(piece, one) })),
    ),
  );
}

/** Of a long text values are read piece by piece. */
const PIECES = /[^\n]{1,1500}(?!\S)|[^\n]{1,1500}/g;

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
