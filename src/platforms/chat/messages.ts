import { z } from 'zod';
import type { Turn } from '../../domain/calls/call.ts';
import { judgeToolBody } from '../../domain/calls/tool-results.ts';
import type { Json, JsonObject } from '../../domain/json.ts';
import { embeddedJson } from '../../domain/parse-json.ts';
import type { AgentConfiguration } from '../../domain/versions/configuration.ts';
import { anything, shortText } from '../lenient.ts';
import { emptyTurn } from '../turn-parts.ts';

export const TEXT_AT_MOST = 20_000;

const shownCall = z.looseObject({
  id: z.string().max(200),
  function: z.looseObject({ name: z.string().min(1).max(200), arguments: anything }),
});

/** A tool that a message of the protocol of chat completions calls. */
export interface Call {
  id: string;
  name: string;
  args: Json;
}

export function callsOf({ tool_calls: calls }: JsonObject): Call[] {
  return (Array.isArray(calls) ? calls : []).flatMap((given) => {
    const read = shownCall.safeParse(given);
    if (!read.success) return [];
    const { name, arguments: args } = read.data.function;
    return [{ id: read.data.id, name, args: embeddedJson(args) }];
  });
}

/** How a call of this tool ends the conversation. */
export function endOf(configuration: AgentConfiguration, { name }: Pick<Call, 'name'>): 'agent' | 'transfer' | null {
  const kind = configuration.tools.find((tool) => tool.name === name)?.kind;
  if (kind === 'transfer') return 'transfer';
  return kind === 'end_call' || name === 'end_call' ? 'agent' : null;
}

/** A message of the agent or of a tool as turns. @param calls those of all messages of this answer. */
export function turnsOf(message: JsonObject, calls: readonly Call[]): Turn[] {
  if (message.role === 'tool') {
    const call = calls.find(({ id }) => id === message.tool_call_id);
    const body = embeddedJson(message.content);
    const { ok } = judgeToolBody(body);
    const result = { id: call?.id ?? null, name: call?.name ?? null, ok: ok ?? true, okSource: 'body' as const };
    return [{ ...emptyTurn(0, 'tool', null), toolResult: { ...result, body, latencyMs: null } }];
  }
  const text = shortText(message.content, TEXT_AT_MOST);
  return [
    ...(text === null ? [] : [{ ...emptyTurn(0, 'agent', null), text }]),
    ...callsOf(message).map((toolCall) => ({ ...emptyTurn(0, 'agent', null), toolCall })),
  ];
}
