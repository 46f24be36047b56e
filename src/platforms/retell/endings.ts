import type { Ending, EndingFamily } from '../../domain/calls/call.ts';

const ending = (hint: Ending['hint'], family: EndingFamily, endedBy: Ending['endedBy'] = 'platform'): Ending => ({
  hint,
  family,
  endedBy,
});

const machine = ending('no_contact', 'machine');
const capacity = ending('no_contact', 'capacity');
const setup = ending('no_contact', 'setup');
const dial = ending('no_contact', 'dial');
const technical = ending('unresolved', 'technical');

/** What each `disconnection_reason` says. No reason alone means that the caller got what they wanted. */
export const RETELL_ENDINGS: Readonly<Record<string, Ending>> = {
  user_hangup: ending('unknown', 'caller_end', 'caller'),
  agent_hangup: ending('unknown', 'agent_end', 'agent'),
  call_transfer: ending('transferred', 'transfer', 'agent'),
  transfer_bridged: ending('transferred', 'transfer', 'agent'),
  call_take_over: ending('transferred', 'transfer', 'platform'),
  transfer_cancelled: ending('unresolved', 'transfer', 'platform'),
  voicemail_reached: machine,
  ivr_reached: machine,
  machine_detected: machine,
  inactivity: ending('abandoned', 'silence'),
  max_duration_reached: ending('unresolved', 'limit'),
  concurrency_limit_reached: capacity,
  no_concurrency_fallback: capacity,
  no_valid_payment: capacity,
  scam_detected: setup,
  registered_call_timeout: setup,
  error_user_not_joined: setup,
  error_inbound_webhook: setup,
  dial_busy: dial,
  dial_failed: dial,
  dial_no_answer: dial,
  invalid_destination: dial,
  telephony_provider_permission_denied: dial,
  telephony_provider_unavailable: dial,
  sip_routing_error: dial,
  marked_as_spam: dial,
  user_declined: dial,
  error_llm_websocket_open: technical,
  error_llm_websocket_lost_connection: technical,
  error_llm_websocket_runtime: technical,
  error_llm_websocket_corrupt_payload: technical,
  error_no_audio_received: technical,
  error_asr: technical,
  error_retell: technical,
  error_unknown: technical,
  manual_stopped: ending('unknown', 'operator'),
};

/** Reasons that the table does not know yet are read by their beginning, then by the call's status. */
export function retellEnding(reason: string | null, status: string | null): Ending {
  if (reason !== null) {
    const known = Object.hasOwn(RETELL_ENDINGS, reason) ? RETELL_ENDINGS[reason] : undefined;
    if (known) return known;
    if (reason.startsWith('error_')) return technical;
    if (/^(dial_|sip_|telephony_)/.test(reason)) return dial;
  }
  if (status === 'not_connected') return dial;
  if (status === 'error') return technical;
  return ending('unknown', 'unknown', 'unknown');
}
