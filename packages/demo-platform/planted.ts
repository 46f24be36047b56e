import type { PlaceKind } from '../../src/domain/vocabulary.ts';
import { demoCallId } from './calls.ts';
import { clinicPlan } from './clinic/plan.ts';
import { parcelPlan } from './parcel/plan.ts';
import type { AgentPlan } from './plan.ts';

/**
 * What was planted into the demo calls, for tests to compare with what the analysis finds. Nothing that analyses reads
 * this file.
 */
export interface PlantedFault {
  providerAgentId: string;
  /** What is broken, in words. */
  what: string;
  code: string;
  place: { kind: PlaceKind; id: string };
  /** Null where the calls hold no evidence of why. */
  cause: string | null;
  callIds: readonly string[];
  /** Code of the planted fault that this one follows from. */
  consequenceOf: string | null;
  /** True where the live version no longer has it. */
  fixedOnLive: boolean;
  /** Other codes that the same calls may show because of it: symptoms, not finds of their own. */
  symptoms: readonly string[];
}

export interface LookAlike {
  providerAgentId: string;
  what: string;
  /** Codes that would be wrong on these calls. */
  notCodes: readonly string[];
  callIds: readonly string[];
}

interface Planting {
  what: string;
  kinds: readonly string[];
  code: string;
  place: PlantedFault['place'];
  cause?: string;
  consequenceOf?: string;
  fixedOnLive?: boolean;
  symptoms?: readonly string[];
}

const LEFT = ['caller_left_mid_task', 'caller_frustrated', 'dead_end_step'];

const clinic: readonly Planting[] = [
  {
    what: 'The patient look-up runs into its time limit',
    kinds: ['look-up times out', 'look-up times out for children'],
    code: 'tool_failed',
    place: { kind: 'tool', id: 'tool_find_patient' },
    cause: 'tool_timeout',
    fixedOnLive: true,
    symptoms: LEFT,
  },
  {
    what: 'The text gateway answers with 200 and an error inside',
    kinds: ['text blocked', 'text blocked but claimed'],
    code: 'tool_failed',
    place: { kind: 'tool', id: 'tool_send_text_confirmation' },
    cause: 'tool_says:sender_id_is_blocked_by_the_carrier',
    symptoms: LEFT,
  },
  {
    what: 'The agent says that a text was sent which was not',
    kinds: ['text blocked but claimed'],
    code: 'claimed_after_failure',
    place: { kind: 'tool', id: 'tool_send_text_confirmation' },
    cause: 'no_failure_path',
    consequenceOf: 'tool_failed',
    symptoms: LEFT,
  },
  {
    what: 'A variable is read out with its braces',
    kinds: ['placeholder'],
    code: 'placeholder_spoken',
    place: { kind: 'node', id: 'node_info' },
    cause: 'placeholder_spoken',
    symptoms: ['variable_unfilled', ...LEFT],
  },
  {
    what: 'Two steps lead to each other while no day is named',
    kinds: ['day loop'],
    code: 'flow_loop',
    place: { kind: 'node', id: 'node_confirm_day' },
    symptoms: ['caller_repeated_self', 'no_progress', ...LEFT],
  },
  {
    what: 'Who asks for a person at the fees step gets none',
    kinds: ['person refused'],
    code: 'human_request_ignored',
    place: { kind: 'node', id: 'node_fees' },
    cause: 'transfer_not_used',
    symptoms: LEFT,
  },
  {
    what: 'The hand-over is not answered',
    kinds: ['hand-over fails'],
    code: 'transfer_failed',
    place: { kind: 'tool', id: 'transfer_call' },
    cause: 'destination_not_answering',
    fixedOnLive: true,
    symptoms: LEFT,
  },
  {
    what: 'The diary takes seconds without a word',
    kinds: ['slow diary'],
    code: 'tool_slow',
    place: { kind: 'tool', id: 'tool_check_availability' },
    cause: 'silent_wait',
    symptoms: ['turn_latency_high'],
  },
  {
    what: 'The same question again and again',
    kinds: ['same line again'],
    code: 'agent_repeats_line',
    place: { kind: 'node', id: 'node_identify' },
    cause: 'answer_not_taken',
    symptoms: ['said_already_told', 'caller_repeated_self', ...LEFT],
  },
  {
    what: 'Poor lines: callers say everything twice',
    kinds: ['poor line'],
    code: 'caller_repeated_self',
    place: { kind: 'platform', id: 'speech_recognition' },
    cause: 'recogniser_unsure',
    symptoms: ['low_transcript_confidence', 'agent_asked_to_repeat', ...LEFT],
  },
];

const parcel: readonly Planting[] = [
  {
    what: 'The day goes to the tool as it was said',
    kinds: ['day not understood'],
    code: 'tool_failed',
    place: { kind: 'tool', id: 'change_delivery_day' },
    cause: 'tool_arguments_rejected',
    symptoms: ['tool_args_invalid', ...LEFT],
  },
  {
    what: 'The look-up of parcels fails without a reason',
    kinds: ['tracking fails'],
    code: 'tool_failed',
    place: { kind: 'tool', id: 'track_parcel' },
    symptoms: LEFT,
  },
  {
    what: 'Ten seconds of silence while a parcel is redirected',
    kinds: ['silent redirect'],
    code: 'dead_air',
    place: { kind: 'tool', id: 'redirect_to_pickup_point' },
    cause: 'waits_for_tool',
    symptoms: ['tool_slow', 'turn_latency_high'],
  },
  {
    what: 'Notes for the driver are promised, and no tool takes them',
    kinds: ['note without tool'],
    code: 'claimed_without_tool',
    place: { kind: 'prompt', id: 'prompt' },
    cause: 'no_such_tool',
    symptoms: [],
  },
  {
    what: 'Claims are opened twice',
    kinds: ['claimed twice'],
    code: 'duplicate_write',
    place: { kind: 'tool', id: 'open_claim' },
    cause: 'no_guard_against_repeat',
  },
  {
    what: 'Card numbers are read out',
    kinds: ['card read out'],
    code: 'sensitive_data_spoken',
    place: { kind: 'prompt', id: 'prompt' },
    cause: 'sensitive_data_spoken',
  },
  {
    what: 'The tracking number is asked for twice',
    kinds: ['asks for number again'],
    code: 'said_already_told',
    place: { kind: 'prompt', id: 'prompt' },
    cause: 'answer_not_taken',
    symptoms: ['caller_repeated_self'],
  },
  {
    what: 'The platform loses its speech recogniser',
    kinds: ['recogniser lost'],
    code: 'platform_error_end',
    place: { kind: 'platform', id: 'speech_recognition' },
    cause: 'part_failed',
    symptoms: LEFT,
  },
  {
    what: 'Callers who speak Spanish are answered in English',
    kinds: ['answered in English'],
    code: 'language_mismatch',
    place: { kind: 'agent', id: 'agent' },
    cause: 'one_language_set',
    symptoms: LEFT,
  },
  {
    what: 'The agent hangs up on a question',
    kinds: ['cut off'],
    code: 'agent_hung_up_early',
    place: { kind: 'prompt', id: 'prompt' },
    symptoms: LEFT,
  },
  {
    what: 'The language model of the live version is slow',
    kinds: ['slow answers'],
    code: 'llm_slow',
    place: { kind: 'platform', id: 'language_model' },
    cause: 'slow_model',
    symptoms: ['turn_latency_high'],
  },
];

export const PLANTED: readonly PlantedFault[] = [
  ...clinic.map((planting) => toFault(clinicPlan, planting)),
  ...parcel.map((planting) => toFault(parcelPlan, planting)),
];

const SLOW = ['tool_slow', 'dead_air', 'turn_latency_high', 'llm_slow'];
const BROKEN = ['tool_failed', 'claimed_after_failure', 'claimed_without_tool'];
const AGAIN = [
  'caller_repeated_self',
  'agent_asked_to_repeat',
  'agent_repeats_line',
  'flow_loop',
  'duplicate_write',
  'tool_retry_storm',
];

export const LOOK_ALIKES: readonly LookAlike[] = [
  lookAlike(clinicPlan, 'Nothing is free on the wanted day', 'nothing free', BROKEN),
  lookAlike(clinicPlan, 'A patient who is not on file yet', 'new patient', BROKEN),
  lookAlike(clinicPlan, 'A caller who changes their mind about the day', 'changing mind', [...AGAIN, ...BROKEN]),
  lookAlike(clinicPlan, 'A name spelled twice and read back', 'spelling twice', AGAIN),
  lookAlike(clinicPlan, 'Two visits for two children', 'two children', [...AGAIN, ...BROKEN]),
  lookAlike(clinicPlan, 'A policy read out because it was asked for', 'long policy', [
    'monologue',
    'agent_repeats_line',
  ]),
  lookAlike(clinicPlan, 'A slow look-up that was announced', 'announced wait', [
    'tool_slow',
    'dead_air',
    'llm_slow',
    'turn_latency_high',
    'tool_failed',
  ]),
  lookAlike(clinicPlan, 'A caller who looks for a letter', 'caller searches', SLOW),
  lookAlike(clinicPlan, 'A person asked for, the desk asked back, then connected', 'asks for desk', [
    'human_request_ignored',
    'transfer_failed',
  ]),
  lookAlike(clinicPlan, 'An answering machine', 'answering machine', [
    'first_word_slow',
    'voicemail_talked_to',
    'caller_never_heard',
    'caller_left_mid_task',
    'instant_hangup',
  ]),
  lookAlike(parcelPlan, 'A number that is not known yet', 'unknown number', BROKEN),
  lookAlike(parcelPlan, 'Too late to change the day', 'too late to change', BROKEN),
  lookAlike(parcelPlan, 'A caller who corrects a number', 'corrects number', [...AGAIN, 'said_already_told']),
  lookAlike(parcelPlan, 'Two claims for two parcels', 'two claims', [
    'duplicate_write',
    'tool_retry_storm',
    'agent_repeats_line',
  ]),
  lookAlike(parcelPlan, 'Two parcels looked up', 'two tracked', [
    'duplicate_write',
    'tool_retry_storm',
    'agent_repeats_line',
  ]),
  lookAlike(parcelPlan, 'Insurance terms read out because they were asked for', 'long terms', [
    'monologue',
    'agent_repeats_line',
  ]),
  lookAlike(parcelPlan, 'An offer that was declined', 'offer declined', [
    'claimed_without_tool',
    'claimed_after_failure',
  ]),
];

function toFault(plan: AgentPlan, planting: Planting): PlantedFault {
  return {
    providerAgentId: plan.providerAgentId,
    what: planting.what,
    code: planting.code,
    place: planting.place,
    cause: planting.cause ?? null,
    callIds: planting.kinds.flatMap((kind) => callIdsOf(plan, kind)),
    consequenceOf: planting.consequenceOf ?? null,
    fixedOnLive: planting.fixedOnLive ?? false,
    symptoms: planting.symptoms ?? [],
  };
}

function lookAlike(plan: AgentPlan, what: string, kind: string, notCodes: readonly string[]): LookAlike {
  return { providerAgentId: plan.providerAgentId, what, notCodes, callIds: callIdsOf(plan, kind) };
}

function callIdsOf(plan: AgentPlan, kind: string): string[] {
  const count = plan.kinds.find((one) => one.kind === kind)?.count ?? 0;
  return Array.from({ length: count }, (_, nth) => demoCallId(plan, kind, nth));
}
