import type { Ending, EndingFamily } from '../../domain/calls/call.ts';

const ending = (hint: Ending['hint'], family: EndingFamily, endedBy: Ending['endedBy'] = 'platform'): Ending => ({
  hint,
  family,
  endedBy,
});

const dial = ending('no_contact', 'dial');
const setup = ending('no_contact', 'setup');
const technical = ending('unresolved', 'technical');
const machine = ending('no_contact', 'machine');

const CALL_RESULTS: Readonly<Record<string, Ending>> = {
  voicemail: machine,
  busy: dial,
  no_answer: dial,
  failed: dial,
};

const ERRORS: Readonly<Record<string, Ending>> = {
  line_busy: dial,
  no_answer: dial,
  call_rejected: dial,
  blocked_by_user: dial,
  call_initialization_error: dial,
  invalid_client_request: setup,
  permission_error: setup,
  entitlement_exceeded: setup,
  guardrail_triggered: ending('unresolved', 'limit'),
  safety_violation: ending('unresolved', 'limit'),
  max_duration_exceeded: ending('unresolved', 'limit'),
  client_disconnected: ending('unknown', 'caller_end', 'caller'),
  post_processing_error: ending('unknown', 'operator'),
};

/** The reason is free text, so it is read by what it speaks of; the first rule that matches decides. */
const TEXTS: readonly (readonly [RegExp, Ending])[] = [
  [/end_call/i, ending('unknown', 'agent_end', 'agent')],
  [/voice ?mail|answering machine/i, machine],
  [/transfer/i, ending('transferred', 'transfer', 'agent')],
  [/max(imum)?[ _-]?(call |conversation )?duration|exceeded/i, ending('unresolved', 'limit')],
  [/silence|inactiv|idle|timed?[ -]?out/i, ending('abandoned', 'silence')],
  [/remote party|client disconnected|client:user|hung ?up/i, ending('unknown', 'caller_end', 'caller')],
  [/error|fail|exception|quota|limit/i, technical],
];

export interface EndingFacts {
  /** Kinds of the results of system tools, in order. */
  systemResults: readonly string[];
  callResult: string | null;
  errorCode: string | null;
  terminationReason: string | null;
  failed: boolean;
}

/** A transfer shows in a tool's result and never in the reason; what the carrier says comes before what the text says. */
export function elevenLabsEnding(facts: EndingFacts): Ending {
  if (facts.systemResults.some((kind) => /^transfer_to_number_.*success$/.test(kind))) {
    return ending('transferred', 'transfer', 'agent');
  }
  if (facts.systemResults.includes('transfer_to_number_error')) return ending('unresolved', 'transfer');
  const known = ownEntry(CALL_RESULTS, facts.callResult) ?? ownEntry(ERRORS, facts.errorCode);
  if (known) return known;
  if (facts.errorCode !== null) return technical;
  const text = facts.terminationReason ?? '';
  const rule = TEXTS.find(([pattern]) => pattern.test(text));
  if (rule) return rule[1];
  return facts.failed ? technical : ending('unknown', 'unknown', 'unknown');
}

function ownEntry(table: Readonly<Record<string, Ending>>, key: string | null): Ending | undefined {
  return key !== null && Object.hasOwn(table, key) ? table[key] : undefined;
}
