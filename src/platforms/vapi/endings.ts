import type { Ending, EndingFamily } from '../../domain/calls/call.ts';

const ending = (hint: Ending['hint'], family: EndingFamily, endedBy: Ending['endedBy'] = 'platform'): Ending => ({
  hint,
  family,
  endedBy,
});

const NOBODY_REACHED =
  /^(customer-busy|customer-did-not-answer|customer-did-not-give-microphone-permission|twilio-failed-to-connect-call|twilio-reported-customer-misdialed|vonage-failed-to-connect-call|vonage-rejected|scheduled-call-deleted|phone-call-provider-bypass-enabled-but-no-call-received|assistant-join-timed-out)$/;
const NEVER_HEARD =
  /transport-never-connected|failed-to-connect|outbound-sip-\d|worker-not-available|call-not-active|transport-missing|did-not-receive-customer-audio/;

/** Rules in order; the first that matches decides. Providers add reasons every week, so nothing is a closed list. */
const RULES: readonly (readonly [RegExp, Ending])[] = [
  [/^assistant-forwarded-call$/, ending('transferred', 'transfer', 'agent')],
  [/hook-executed-transfer$|^assistant-request-returned-forwarding-phone-number$/, ending('transferred', 'transfer')],
  [
    /^customer-ended-call-(during-transfer|before-warm-transfer|after-warm-transfer-attempt)/,
    ending('abandoned', 'transfer', 'caller'),
  ],
  [
    /^call\.forwarding\.|error-transfer-failed|error-warm-transfer|-warm-transfer-.{0,80}(failed|cancelled)/,
    ending('unresolved', 'transfer'),
  ],
  [/^voicemail$/, ending('no_contact', 'machine')],
  [NOBODY_REACHED, ending('no_contact', 'dial')],
  [
    /^call\.start\.|^call-start-error|^call\.ringing\.|^assistant-not-|^assistant-request-/,
    ending('no_contact', 'setup'),
  ],
  [NEVER_HEARD, ending('no_contact', 'technical')],
  [/^silence-timed-out$/, ending('abandoned', 'silence')],
  [/^exceeded-max-duration$/, ending('unresolved', 'limit')],
  [/^assistant-ended-call|^assistant-said-end-call-phrase$/, ending('unknown', 'agent_end', 'agent')],
  [
    /^customer-ended-call$|^vonage-(completed|disconnected)$|(twilio|sip)-completed-call$|^phone-call-provider-closed-websocket$/,
    ending('unknown', 'caller_end', 'caller'),
  ],
  [/^manually-canceled$|hook-executed-say$|^call-deleted$/, ending('unknown', 'operator')],
  [/^worker-shutdown$|^pipeline-|error|fault/, ending('unresolved', 'technical')],
];

/** What Vapi's `endedReason` says. No reason alone means that the caller got what they wanted. */
export function vapiEnding(reason: string | null): Ending {
  const rule = reason === null ? undefined : RULES.find(([pattern]) => pattern.test(reason));
  return rule?.[1] ?? ending('unknown', 'unknown', 'unknown');
}
