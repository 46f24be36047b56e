import type { Ending } from '../../domain/calls/call.ts';
import { judgeToolBody } from '../../domain/calls/tool-results.ts';
import { firstAfter } from '../../domain/first-after.ts';
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
  spokeAt,
  UNKNOWN_ENDING,
} from './draft.ts';

/** What the agent says, under the names of all generations: models that hear and speak themselves had one of their own. */
const AGENT_TURN = /^(agent_turn|assistant_turn|realtime_assistant_turn)$/;

/** Spans of LiveKit Agents, Python since 1.2 and JavaScript since 1.0: before these no version had any. */
export const isLivekit = ({ spans }: CallSpans) =>
  spans.some(({ scope, name }) => scope.startsWith('livekit') || name === 'user_turn' || AGENT_TURN.test(name));

export function draftOfLivekit(call: CallSpans): CallDraft {
  const tree = treeOf(call.spans);
  const draft = emptyDraft();
  const userTurns = call.spans.filter(({ name }) => name === 'user_turn');
  const agentTurns = call.spans.filter(({ name }) => AGENT_TURN.test(name));
  const speech = speechOf(call.spans, tree, { userTurns, agentTurns });
  for (const span of userTurns) addUserTurn(draft, span, speech);
  for (const span of agentTurns) addAgentTurn(draft, span, tree, speech);
  addSpeechWithoutTurn(draft, call.spans, speech);
  addTypedInput(draft, agentTurns, userTurns);
  const known = new Set<string>();
  for (const span of call.spans) if (span.name === 'function_tool') addTool(draft, span, known);
  for (const span of call.spans) if (span.name === 'llm_node') addToolsWithoutSpan(draft, span, known);
  for (const span of call.spans) if (span.name === 'update_agent') addHandOff(draft, span);
  draft.aloud = call.spans.some(({ name }) => VOICE.test(name));
  draft.exact = call.spans.some(({ name }) => name === 'user_speaking' || name === 'agent_speaking');
  const reason = anyText(call.spans, 'lk.close_reason');
  draft.disconnectionReason = reason;
  draft.ending = endingOf(reason);
  draft.callerNumber = callerNumberOf(call.spans);
  draft.direction = directionOf(call.spans);
  draft.language = anyText(call.spans, 'lk.eou.language');
  if (hearsItself(call.spans) && !draft.turns.some(({ role }) => role === 'caller')) draft.notRecorded.push('caller');
  return draft;
}

const VOICE = /^(user_turn|user_speaking|tts_node|tts_request|realtime_\w+)$/;

/** A model that hears the caller itself: where the session has no detector of voice, no span tells that they spoke. */
const hearsItself = (spans: readonly SentSpan[]) => spans.some(({ name }) => name.startsWith('realtime_'));

/** When each side spoke, by the turn that it belongs to, and what belongs to none. */
interface Speech {
  ofTurn: ReadonlyMap<SentSpan, SentSpan[]>;
  ofCaller: readonly SentSpan[];
  ofAgent: readonly SentSpan[];
}

/** Earlier generations put what was spoken beside the turn that it was spoken in: it goes with the one that went on. */
function speechOf(
  spans: readonly SentSpan[],
  tree: Tree,
  { userTurns, agentTurns }: { userTurns: readonly SentSpan[]; agentTurns: readonly SentSpan[] },
): Speech {
  const ofTurn = new Map<SentSpan, SentSpan[]>();
  for (const turn of userTurns) ofTurn.set(turn, tree.below(turn, 'user_speaking'));
  for (const turn of agentTurns) ofTurn.set(turn, tree.below(turn, 'agent_speaking'));
  const taken = new Set([...ofTurn.values()].flat());
  const beside = (name: string, turns: readonly SentSpan[]) => {
    const alone: SentSpan[] = [];
    for (const span of spans) {
      if (span.name !== name || taken.has(span)) continue;
      const at = firstAfter(turns, span.startMs + CLOCKS_MS, beginOf) - 1;
      const turn = turns[at];
      if (turn && turn.endMs >= span.startMs && ofTurn.get(turn)?.length === 0) ofTurn.get(turn)?.push(span);
      else alone.push(span);
    }
    return alone;
  };
  return { ofTurn, ofCaller: beside('user_speaking', userTurns), ofAgent: beside('agent_speaking', agentTurns) };
}

const CLOCKS_MS = 200;

const beginOf = ({ startMs }: SentSpan) => startMs;

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
function delaySeconds(span: SentSpan, ...names: string[]): number | null {
  const delay = numberAttribute(span, ...names);
  if (delay === null) return null;
  return textAttribute({ attributes: span.resource }, 'telemetry.sdk.language') === 'nodejs' ? delay / 1000 : delay;
}

function addUserTurn(draft: CallDraft, span: SentSpan, { ofTurn }: Speech): void {
  const text = livekitText(span, 'user_transcript');
  const speech = spokenBy(ofTurn.get(span) ?? []);
  const waitedMs = (delaySeconds(span, 'lk.end_of_turn_delay', 'lk.end_of_utterance_delay') ?? 0) * 1000;
  const spoken = speech ?? { fromMs: span.startMs, toMs: Math.max(span.startMs, span.endMs - waitedMs) };
  addSeconds(draft.latency.asrMs, delaySeconds(span, 'lk.transcription_delay'));
  if (text !== null && text.trim() !== '') draft.turns.push(said('caller', text, spoken.fromMs, spoken));
  else if (text === null && speech !== null) draft.turns.push(spokeAt('caller', speech));
}

function addAgentTurn(draft: CallDraft, span: SentSpan, tree: Tree, { ofTurn }: Speech): void {
  const speech = spokenBy(ofTurn.get(span) ?? []);
  const nodes = tree.below(span, 'llm_node');
  const told =
    livekitText(span, 'response.text') ??
    nodes.map((node) => livekitText(node, 'response.text')).findLast(Boolean) ??
    synthesisedIn(tree.below(span, 'tts_request'));
  addSeconds(draft.latency.e2eMs, numberAttribute(span, 'lk.e2e_latency'));
  addSeconds(draft.latency.llmMs, nodes[0] ? numberAttribute(nodes[0], 'lk.response.ttft') : null);
  const [voice] = tree.below(span, 'tts_node');
  addSeconds(draft.latency.ttsMs, voice ? numberAttribute(voice, 'lk.response.ttfb') : null);
  // An answer that was prepared and never given has neither words nor sound.
  if (told === null) {
    if (speech !== null) draft.turns.push(spokeAt('agent', speech));
  } else if (told.trim() !== '') {
    const atMs = speech?.fromMs ?? nodes.at(-1)?.endMs ?? span.startMs;
    draft.turns.push(said('agent', told, atMs, speech, speech !== null && wasCutOff(span)));
  }
}

function synthesisedIn(voices: readonly SentSpan[]): string | null {
  const texts = voices.map((voice) => livekitText(voice, 'input_text')).filter((text) => text !== null);
  return texts.length === 0 ? null : texts.join(' ');
}

/** Pauses that short are within one turn. */
const PAUSE_MS = 1_000;

/**
 * What was spoken beside all turns. Of the caller it counts where no recogniser wrote anything in the whole call: else it
 * was a noise that none took for words.
 */
function addSpeechWithoutTurn(draft: CallDraft, spans: readonly SentSpan[], { ofCaller, ofAgent }: Speech): void {
  const isRecognised = spans.some(
    (span) => span.name === 'user_turn' && (livekitText(span, 'user_transcript') ?? '') !== '',
  );
  if (isRecognised) draft.turns = draft.turns.filter(({ role, wordless }) => role !== 'caller' || !wordless);
  else for (const speech of joined(ofCaller, ofAgent)) draft.turns.push(spokeAt('caller', speech));
  const voices = spans.filter(({ name }) => name === 'tts_request');
  for (const speech of joined(ofAgent, ofCaller)) {
    const text = synthesisedIn(
      voices.filter(({ startMs }) => startMs <= speech.toMs && startMs > speech.fromMs - BEFORE_SOUND_MS),
    );
    draft.turns.push(text === null ? spokeAt('agent', speech) : said('agent', text, speech.fromMs, speech));
  }
}

/** So long before it is heard an answer is begun to be synthesised. */
const BEFORE_SOUND_MS = 3_000;

/** Speech of one side as turns: what a short pause lies between, in which the other side did not begin to speak. */
function joined(own: readonly SentSpan[], other: readonly SentSpan[]): { fromMs: number; toMs: number }[] {
  const turns: { fromMs: number; toMs: number }[] = [];
  for (const { startMs, endMs } of own) {
    const last = turns.at(-1);
    const isSame = last !== undefined && startMs - last.toMs <= PAUSE_MS;
    const isAnswered =
      isSame &&
      other[firstAfter(other, last.toMs, beginOf)] !== undefined &&
      firstAfter(other, last.toMs, beginOf) < firstAfter(other, startMs, beginOf);
    if (isSame && !isAnswered) last.toMs = Math.max(last.toMs, endMs);
    else turns.push({ fromMs: startMs, toMs: endMs });
  }
  return turns;
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
