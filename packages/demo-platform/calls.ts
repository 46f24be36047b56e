import type { JsonObject } from '../../src/domain/json.ts';
import { textOf } from '../../src/platforms/lenient.ts';
import { DEMO_AGENTS } from './agents.ts';
import { makePerson, type Person } from './people.ts';
import type { AgentPlan, Days, PlannedKind, Unconnected } from './plan.ts';
import { createRandom, hash32, type Random } from './random.ts';
import { createScript, type WrittenCall } from './script.ts';

const DAY_MS = 86_400_000;
const USUAL_ANSWER: [number, number] = [0.55, 1.45];
/** One call in six comes from somebody who calls more than once. */
const REPEAT_SHARE = 0.16;
/** No call begins later than this before the end of its days, so that each is over by then. */
const LONGEST_CALL_MS = 15 * 60_000;
/** How long before it was asked for a later version counts as published. */
export const LATER_SPAN_MS = 60 * 60_000;

export interface DemoCall {
  callId: string;
  startMs: number | null;
  /** Deleted calls are still listed for a while, as on the real platform, but can't be read. */
  state: 'over' | 'ongoing' | 'deleted';
  payload: JsonObject;
}

/** The id tells nothing of the kind that it was written as. */
export function demoCallId(plan: AgentPlan, kind: string, nth: number): string {
  const seed = `${plan.providerAgentId}/${kind}/${nth}`;
  return `call_${[1, 2, 3, 4].map((part) => hash32(`${part}${seed}${part}`).toString(16).padStart(8, '0')).join('')}`;
}

/** All calls of one agent in the thirty days before `endMs`, in no order. The same every time for the same `endMs`. */
export function writeCalls(plan: AgentPlan, endMs: number): DemoCall[] {
  const regulars = regularsOf(plan);
  const connected = plan.kinds.flatMap((kind) =>
    Array.from({ length: kind.count }, (_, nth) => writeCall(plan, kind, nth, endMs, regulars)),
  );
  const others = plan.unconnected.flatMap((unconnected, group) =>
    Array.from({ length: unconnected.count }, (_, nth) =>
      writeUnconnected(plan, unconnected, `${group}.${nth}`, endMs),
    ),
  );
  return [...connected, ...others];
}

/** The calls of one version within an hour, all over by `untilMs`. The same every time for the same `seed`. */
export function writeLaterCalls(
  plan: AgentPlan,
  later: { kinds: readonly Omit<PlannedKind, 'versions'>[]; version: number; seed: string; untilMs: number },
): DemoCall[] {
  const regulars = regularsOf(plan);
  const window = { fromDaysAgo: LATER_SPAN_MS / DAY_MS, toDaysAgo: 0 };
  return later.kinds.flatMap((kind) =>
    Array.from({ length: kind.count }, (_, nth) =>
      writeCall(plan, { ...kind, versions: [later.version], window }, nth, later.untilMs, regulars, later.seed),
    ),
  );
}

function regularsOf(plan: AgentPlan): Person[] {
  return Array.from({ length: 40 }, (_, nth) => makePerson(createRandom(`${plan.providerAgentId}/regular/${nth}`)));
}

function writeCall(
  plan: AgentPlan,
  kind: PlannedKind,
  nth: number,
  endMs: number,
  regulars: readonly Person[],
  seed = '',
): DemoCall {
  const callId = demoCallId(plan, `${seed}${kind.kind}`, nth);
  const random = createRandom(callId);
  const version = kind.versions[nth % kind.versions.length] ?? 1;
  const person = random.chance(REPEAT_SHARE) ? random.pick(regulars) : makePerson(random.fork('person'));
  const ongoing = kind.state === 'ongoing';
  const startMs = ongoing
    ? endMs - random.whole(20, 90) * 1000
    : pickStart(kind.window ?? periodOf(plan, version), endMs, random);
  const { script, written } = createScript({
    random: random.fork('talk'),
    person,
    version,
    startMs,
    answerSeconds: kind.answerSeconds ?? USUAL_ANSWER,
  });
  plan.prepare(script);
  kind.write(script);
  const call = written();
  const web = kind.direction === undefined && random.chance(plan.webShare);
  const direction = kind.direction ?? 'inbound';
  const payload = {
    ...heading(plan, { callId, version, startMs, web, direction, person, line: kind.line ?? plan.lineNumber }),
    ...(ongoing ? ongoingPart(call) : finishedPart(call, startMs, random)),
    retell_llm_dynamic_variables: plan.variables(random),
  };
  return { callId, startMs, state: ongoing ? 'ongoing' : kind.state === 'deleted' ? 'deleted' : 'over', payload };
}

interface Heading {
  callId: string;
  version: number;
  startMs: number | null;
  web: boolean;
  direction: 'inbound' | 'outbound';
  person: Person;
  line: string;
}

function heading(plan: AgentPlan, { callId, version, startMs, web, direction, person, line }: Heading): JsonObject {
  const name = DEMO_AGENTS.find((agent) => agent.providerAgentId === plan.providerAgentId)?.name ?? '';
  const [from, to] = direction === 'inbound' ? [person.phone, line] : [line, person.phone];
  return {
    call_type: web ? 'web_call' : 'phone_call',
    call_id: callId,
    agent_id: plan.providerAgentId,
    agent_name: name,
    agent_version: version,
    ...(web ? {} : { direction, from_number: from, to_number: to }),
    ...(startMs === null ? {} : { start_timestamp: startMs }),
    data_storage_setting: 'everything',
    opt_in_signed_url: false,
  };
}

function ongoingPart(call: WrittenCall): JsonObject {
  return { call_status: 'ongoing', transcript_with_tool_calls: call.entries.slice(0, 4) };
}

function finishedPart(call: WrittenCall, startMs: number, random: Random): JsonObject {
  const spoken = call.entries.filter((entry) => entry.role === 'agent' || entry.role === 'user');
  const seconds = Math.ceil(call.durationMs / 1000);
  const voiceCost = Math.round(seconds * 11.67) / 100;
  const modelCost = Math.round(seconds * random.between(0.015, 0.03) * 100) / 100;
  return {
    call_status: call.facts.status ?? 'ended',
    end_timestamp: startMs + call.durationMs,
    duration_ms: call.durationMs,
    disconnection_reason: call.reason,
    transcript: spoken
      .map((entry) => `${entry.role === 'agent' ? 'Agent' : 'User'}: ${textOf(entry.content) ?? ''}\n`)
      .join(''),
    transcript_object: spoken,
    transcript_with_tool_calls: call.entries,
    latency: latencyPart(call.e2eMs, random),
    call_cost: {
      combined_cost: Math.round((voiceCost + modelCost) * 100) / 100,
      total_duration_seconds: seconds,
      product_costs: [
        { product: 'voice_engine', cost: voiceCost },
        { product: 'llm', cost: modelCost },
      ],
    },
    call_analysis: {
      call_summary: call.facts.summary ?? '',
      call_successful: call.facts.successful ?? false,
      user_sentiment: call.facts.sentiment ?? 'Unknown',
      in_voicemail: call.facts.voicemail ?? false,
      custom_analysis_data: {},
    },
  };
}

/** The parts of each answer's delay: what is left after voice and recognition was the language model's. */
function latencyPart(e2eMs: readonly number[], random: Random): JsonObject {
  const tts = e2eMs.map(() => random.whole(170, 260));
  const asr = e2eMs.map(() => random.whole(80, 150));
  const llm = e2eMs.map((total, at) => Math.max(90, Math.round((total - (tts[at] ?? 0) - (asr[at] ?? 0)) * 0.9)));
  return { e2e: figures([...e2eMs]), llm: figures(llm), tts: figures(tts), asr: figures(asr) };
}

function figures(values: number[]): JsonObject {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? null;
  return {
    p50: at(0.5),
    p90: at(0.9),
    p95: at(0.95),
    p99: at(0.99),
    min: at(0),
    max: at(1),
    num: values.length,
    values,
  };
}

function writeUnconnected(plan: AgentPlan, unconnected: Unconnected, nth: string, endMs: number): DemoCall {
  const callId = demoCallId(plan, `unconnected/${unconnected.reason}`, hash32(nth));
  const random = createRandom(callId);
  const startMs = unconnected.hasStart ? pickStart(periodOf(plan, unconnected.version), endMs, random) : null;
  const person = makePerson(random.fork('person'));
  const payload = {
    ...heading(plan, {
      callId,
      version: unconnected.version,
      startMs,
      web: false,
      direction: 'outbound',
      person,
      line: plan.lineNumber,
    }),
    call_status: unconnected.reason.startsWith('dial_') ? 'not_connected' : 'error',
    disconnection_reason: unconnected.reason,
    call_cost: { combined_cost: 0, total_duration_seconds: 0, product_costs: [] },
  };
  return { callId, startMs, state: 'over', payload };
}

function periodOf(plan: AgentPlan, version: number): Days {
  return plan.periods.find((one) => one.version === version) ?? { fromDaysAgo: 30, toDaysAgo: 0 };
}

/** Within these days, on any of them but mostly working ones, between eight and six. */
function pickStart(days: Days, endMs: number, random: Random): number {
  const latestMs = endMs - days.toDaysAgo * DAY_MS - LONGEST_CALL_MS;
  const earliestMs = endMs - days.fromDaysAgo * DAY_MS + 60_000;
  const isShort = latestMs - earliestMs < DAY_MS;
  for (let tries = 0; tries < (isShort ? 0 : 40); tries += 1) {
    const anyMs = random.between(earliestMs, latestMs);
    const dayStartMs = Math.floor(anyMs / DAY_MS) * DAY_MS;
    const hour = 8 + (random.next() + random.next()) * 5;
    const startMs = Math.round(dayStartMs + hour * 3_600_000);
    const weekday = new Date(dayStartMs).getUTCDay();
    if ((weekday === 0 || weekday === 6) && random.chance(0.8)) continue;
    if (startMs >= earliestMs && startMs <= latestMs) return startMs;
  }
  return Math.round(random.between(earliestMs, latestMs));
}
