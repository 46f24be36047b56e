import type { NormalisedCall, Turn } from '../../../src/domain/calls/call.ts';
import type { JsonObject } from '../../../src/domain/json.ts';
import type { SentSpan } from '../../../src/domain/spans/span.ts';
import { attributesOf, makeSpan, protobufOf, wireOf } from '../../support/spans.ts';
import { benchCall } from '../generator.ts';

/** A call as an agent sends it: all its spans in one request, as its process ends with it. */
export interface SentCall {
  ref: string;
  traceId: string;
  body: Buffer;
}

export const SPANS_A_CALL = 25;
const RESOURCE: JsonObject = { 'service.name': 'parcel-desk', 'telemetry.sdk.language': 'python' };
const SCOPE = 'livekit-agents';

/** A talk of LiveKit with two tools: its session, its turns, its tools, and a question to the model for each of the first answers. */
export function sentCall(number: number): SentCall {
  const ref = `RM_bench_${number}`;
  const spans = spansOf(benchCall(number), ref, number);
  const [first] = spans;
  if (spans.length !== SPANS_A_CALL || !first) throw new Error(`Call ${number} has ${spans.length} spans.`);
  const scopeSpans = [{ scope: { name: SCOPE }, spans: spans.map(wireOf) }];
  const resourceSpans = [{ resource: { attributes: attributesOf(RESOURCE) }, scopeSpans }];
  return { ref, traceId: first.traceId, body: protobufOf({ resourceSpans }) };
}

function spansOf(call: NormalisedCall, ref: string, number: number): SentSpan[] {
  const named = { 'gen_ai.conversation.id': ref };
  const make = (
    id: string,
    name: string,
    parent: string | null,
    at: Pick<Turn, 'startMs' | 'endMs'>,
    own: JsonObject,
  ) =>
    makeSpan({
      id: `${number}${id}`,
      name,
      parent: parent && `${number}${parent}`,
      trace: `bench ${number}`,
      scope: SCOPE,
      resource: RESOURCE,
      from: (at.startMs ?? 0) / 1000,
      to: (at.endMs ?? 0) / 1000,
      attributes: { ...named, ...own },
    });
  const turns = call.turns.map((turn) => {
    const { name, own } = turnOf(turn);
    return make(`t${turn.index}`, name, 's', turn, own);
  });
  const session = make(
    's',
    'agent_session',
    null,
    { startMs: 0, endMs: call.durationMs },
    { 'lk.agent_label': 'parcels' },
  );
  const questions = call.turns
    .filter(({ role }) => role === 'agent')
    .slice(0, SPANS_A_CALL - turns.length - 1)
    .map((turn) => make(`q${turn.index}`, 'llm_node', `t${turn.index}`, turn, questionOf(call, turn)));
  return [...turns, ...questions, session];
}

function turnOf(turn: Turn): { name: string; own: JsonObject } {
  if (turn.role === 'caller') {
    return { name: 'user_turn', own: { 'lk.pii.user_transcript': turn.text, 'lk.end_of_turn_delay': 0.4 } };
  }
  if (turn.role === 'agent') {
    return {
      name: 'agent_turn',
      own: { 'lk.pii.response.text': turn.text, 'lk.interrupted': false, 'lk.e2e_latency': 1.1 },
    };
  }
  const { toolResult } = turn;
  return {
    name: 'function_tool',
    own: {
      'lk.function_tool.id': toolResult?.id ?? '',
      'lk.function_tool.name': toolResult?.name ?? '',
      'lk.pii.function_tool.arguments': '{}',
      'lk.pii.function_tool.output': JSON.stringify(toolResult?.body ?? null),
      'lk.function_tool.is_error': toolResult?.ok === false,
    },
  };
}

/** What the model was asked: all that was said before, as the library writes it. */
function questionOf({ turns }: NormalisedCall, { index, text }: Turn): JsonObject {
  const items = turns.slice(0, index).map((turn) => ({ type: 'message', role: turn.role, content: [turn.text] }));
  return { 'lk.pii.chat_ctx': JSON.stringify({ items }), 'lk.pii.response.text': text, 'lk.response.ttft': 0.5 };
}
