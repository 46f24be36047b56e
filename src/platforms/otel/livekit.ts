import type { Ending } from '../../domain/calls/call.ts';
import { judgeToolBody } from '../../domain/calls/tool-results.ts';
import { type SentSpan, textAttribute } from '../../domain/spans/span.ts';
import type { CallSpans } from '../../domain/spans/split-calls.ts';
import type { Direction } from '../../domain/vocabulary.ts';
import {
  anyText,
  flagAttribute,
  jsonAttribute,
  livekitText,
  looseJson,
  numberAttribute,
  objectsOf,
} from './attributes.ts';
import {
  addSeconds,
  answered,
  type CallDraft,
  called,
  type DraftTurn,
  emptyDraft,
  said,
  UNKNOWN_ENDING,
} from './draft.ts';

/** Spans of LiveKit Agents, Python and JavaScript, of the generations since 1.0. */
export const isLivekit = ({ spans }: CallSpans) =>
  spans.some(({ scope, name }) => scope.startsWith('livekit') || name === 'agent_turn' || name === 'user_turn');

export function draftOfLivekit(call: CallSpans): CallDraft {
  const tree = treeOf(call.spans);
  const draft = emptyDraft();
  const userTurns = call.spans.filter(({ name }) => name === 'user_turn');
  const agentTurns = call.spans.filter(({ name }) => name === 'agent_turn');
  for (const span of userTurns) addUserTurn(draft, span, tree);
  for (const span of agentTurns) addAgentTurn(draft, span, tree);
  addTypedInput(draft, agentTurns, userTurns);
  const known = new Set<string>();
  for (const span of call.spans) if (span.name === 'function_tool') addTool(draft, span, known);
  for (const span of call.spans) if (span.name === 'llm_node') addToolsWithoutSpan(draft, span, known);
  for (const span of call.spans) if (span.name === 'update_agent') addHandOff(draft, span);
  draft.aloud = call.spans.some(({ name }) => /^(user_turn|user_speaking|tts_node|tts_request)$/.test(name));
  draft.exact = call.spans.some(({ name }) => name === 'user_speaking' || name === 'agent_speaking');
  const reason = anyText(call.spans, 'lk.close_reason');
  draft.disconnectionReason = reason;
  draft.ending = endingOf(reason);
  draft.callerNumber = callerNumberOf(call.spans);
  draft.direction = directionOf(call.spans);
  draft.language = anyText(call.spans, 'lk.eou.language');
  return draft;
}

interface Tree {
  below(span: SentSpan, name: string): SentSpan[];
}

function treeOf(spans: readonly SentSpan[]): Tree {
  const children = Map.groupBy(spans, ({ traceId, parentId }) => `${traceId} ${parentId ?? ''}`);
  const all = (span: SentSpan, depth: number): SentSpan[] => {
    const below = depth === 0 ? [] : (children.get(`${span.traceId} ${span.spanId}`) ?? []);
    return below.flatMap((child) => [child, ...all(child, depth - 1)]);
  };
  return { below: (span, name) => all(span, 6).filter((child) => child.name === name) };
}

function spokenBy(spans: readonly SentSpan[]): DraftTurn['spoken'] {
  if (spans.length === 0) return null;
  return { fromMs: Math.min(...spans.map((s) => s.startMs)), toMs: Math.max(...spans.map((s) => s.endMs)) };
}

/** JavaScript writes the delays of a caller's turn in milliseconds, Python in seconds. */
function delaySeconds(span: SentSpan, name: string): number | null {
  const delay = numberAttribute(span, name);
  if (delay === null) return null;
  return textAttribute({ attributes: span.resource }, 'telemetry.sdk.language') === 'nodejs' ? delay / 1000 : delay;
}

function addUserTurn(draft: CallDraft, span: SentSpan, tree: Tree): void {
  const text = livekitText(span, 'user_transcript');
  const speech = spokenBy(tree.below(span, 'user_speaking'));
  const waitedMs = (delaySeconds(span, 'lk.end_of_turn_delay') ?? 0) * 1000;
  const spoken = speech ?? { fromMs: span.startMs, toMs: Math.max(span.startMs, span.endMs - waitedMs) };
  addSeconds(draft.latency.asrMs, delaySeconds(span, 'lk.transcription_delay'));
  if (text === null) draft.wordless ||= speech !== null;
  else if (text.trim() !== '') draft.turns.push(said('caller', text, spoken.fromMs, spoken));
}

function addAgentTurn(draft: CallDraft, span: SentSpan, tree: Tree): void {
  const speech = spokenBy(tree.below(span, 'agent_speaking'));
  const nodes = tree.below(span, 'llm_node');
  const told =
    livekitText(span, 'response.text') ?? nodes.map((node) => livekitText(node, 'response.text')).findLast(Boolean);
  addSeconds(draft.latency.e2eMs, numberAttribute(span, 'lk.e2e_latency'));
  addSeconds(draft.latency.llmMs, nodes[0] ? numberAttribute(nodes[0], 'lk.response.ttft') : null);
  const [voice] = tree.below(span, 'tts_node');
  addSeconds(draft.latency.ttsMs, voice ? numberAttribute(voice, 'lk.response.ttfb') : null);
  // An answer that was prepared and never given has neither words nor sound.
  if (told === undefined || told === null) draft.wordless ||= speech !== null;
  else if (told.trim() !== '') {
    const atMs = speech?.fromMs ?? nodes.at(-1)?.endMs ?? span.startMs;
    draft.turns.push(said('agent', told, atMs, speech, speech !== null && wasCutOff(span)));
  }
}

function wasCutOff(span: SentSpan): boolean {
  return (
    flagAttribute(span, 'lk.interrupted') === true && textAttribute(span, 'lk.interruption.source') !== 'programmatic'
  );
}

/** What was typed makes no turn of its own: it stands on the answer to it, and again on each step of that. */
function addTypedInput(draft: CallDraft, agentTurns: readonly SentSpan[], userTurns: readonly SentSpan[]): void {
  let heardUntilMs = Number.NEGATIVE_INFINITY;
  let before = '';
  let begun = 0;
  for (const span of agentTurns) {
    const text = livekitText(span, 'user_input')?.trim() ?? '';
    const key = `${textAttribute(span, 'lk.speech_id') ?? span.spanId} ${text}`;
    while ((userTurns[begun]?.startMs ?? Infinity) <= span.endMs) begun += 1;
    const wasHeard = userTurns
      .slice(Math.max(0, begun - TURNS_OF_AN_ANSWER), begun)
      .some(
        (turn) =>
          turn.startMs >= heardUntilMs &&
          turn.startMs <= span.endMs &&
          sharesWords(livekitText(turn, 'user_transcript'), text),
      );
    if (text !== '' && key !== before && !wasHeard) draft.turns.push(said('caller', text, span.startMs));
    before = key;
    heardUntilMs = span.startMs - 60_000;
  }
}

/** More of the caller's turns than one answer of the agent is ever given to. */
const TURNS_OF_AN_ANSWER = 50;

function sharesWords(transcript: string | null, input: string): boolean {
  const heard = transcript?.trim() ?? '';
  return heard !== '' && (input.includes(heard) || heard.includes(input));
}

function addTool(draft: CallDraft, span: SentSpan, known: Set<string>): void {
  const id = textAttribute(span, 'lk.function_tool.id', 'gen_ai.tool.call.id');
  const name = textAttribute(span, 'lk.function_tool.name', 'gen_ai.tool.name') ?? 'unnamed tool';
  if (id !== null) known.add(id);
  const args = looseJson(livekitText(span, 'function_tool.arguments') ?? span.attributes['gen_ai.tool.call.arguments']);
  draft.turns.push(called({ id, name, args }, span.startMs));
  const output = livekitText(span, 'function_tool.output') ?? span.attributes['gen_ai.tool.call.result'];
  const failed = flagAttribute(span, 'lk.function_tool.is_error') ?? (span.error === null ? null : true);
  if (output === undefined && failed === null) return;
  const body = looseJson(output);
  const latencyMs = Math.round(span.endMs - span.startMs);
  draft.turns.push(answered({ id, name, body, latencyMs, ...verdictOf(failed, body) }, span.endMs));
}

/** A tool that answers with an error did not fail for LiveKit, which only knows what was thrown. */
function verdictOf(failed: boolean | null, body: ReturnType<typeof looseJson>) {
  if (failed === true) return { ok: false, okSource: 'flag' } as const;
  const { ok } = judgeToolBody(body);
  if (ok !== null) return { ok, okSource: 'body' } as const;
  return failed === false ? ({ ok: true, okSource: 'flag' } as const) : ({ ok: null, okSource: 'unknown' } as const);
}

/** A call of a tool that is unknown, or whose arguments cannot be read, has no span: only the model's answer names it. */
function addToolsWithoutSpan(draft: CallDraft, span: SentSpan, known: Set<string>): void {
  const calls = objectsOf(jsonAttribute(span, 'lk.pii.response.function_calls', 'lk.response.function_calls'));
  for (const { call_id: id, name, arguments: args } of calls) {
    if (typeof id !== 'string' || typeof name !== 'string' || known.has(id)) continue;
    known.add(id);
    draft.turns.push(called({ id, name, args: looseJson(args) }, span.endMs));
    const body = 'The tool was not run: it is unknown to the agent, or its arguments could not be read.';
    draft.turns.push(answered({ id, name, body, latencyMs: null, ok: false, okSource: 'missing' }, span.endMs));
  }
}

function addHandOff(draft: CallDraft, span: SentSpan): void {
  const toId = textAttribute(span, 'lk.agent_label', 'lk.new_agent_label');
  const fromId = textAttribute(span, 'lk.previous_agent_label');
  if (toId !== null && fromId !== null) draft.transitions.push({ atMs: span.startMs, fromId, toId, kind: 'hand_off' });
}

const ENDINGS: Readonly<Record<string, Ending>> = {
  participant_disconnected: { hint: 'unknown', family: 'caller_end', endedBy: 'caller' },
  user_initiated: { hint: 'unknown', family: 'agent_end', endedBy: 'agent' },
  task_completed: { hint: 'unknown', family: 'agent_end', endedBy: 'agent' },
  error: { hint: 'unresolved', family: 'technical', endedBy: 'platform' },
  job_shutdown: { hint: 'unknown', family: 'operator', endedBy: 'platform' },
};

/** Spans say it in lower case, the session report as `CR_PARTICIPANT_DISCONNECTED`. */
export function endingOf(reason: string | null): Ending {
  const name = reason?.toLowerCase().replace(/^cr_/, '') ?? '';
  return Object.hasOwn(ENDINGS, name) ? (ENDINGS[name] ?? UNKNOWN_ENDING) : UNKNOWN_ENDING;
}

/** Callers by telephone are named after their number; others have a name of their own, which is no number. */
function callerNumberOf(spans: readonly SentSpan[]): string | null {
  const stated = anyText(spans, 'lk.pii.sip.phoneNumber', 'lk.sip.phoneNumber');
  if (stated !== null) return stated;
  const identities = spans.map((span) => livekitText(span, 'participant_identity'));
  return (
    identities.map((identity) => /^sip_(\+?\d{5,})/.exec(identity ?? '')?.[1]).find((found) => found !== undefined) ??
    null
  );
}

function directionOf(spans: readonly SentSpan[]): Direction | null {
  if (anyText(spans, 'lk.sip.ruleID', 'lk.pii.sip.ruleID') !== null) return 'inbound';
  if (anyText(spans, 'lk.sip.callID', 'lk.pii.sip.callID') !== null) return 'outbound';
  const kinds = spans.map((span) => textAttribute(span, 'lk.participant_kind'));
  return kinds.includes('PARTICIPANT_KIND_STANDARD') ? 'web' : null;
}
