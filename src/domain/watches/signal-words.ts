import { CATALOGUE } from '../signals/catalogue.ts';
import type { Polarity } from '../vocabulary.ts';
import type { Sentence } from './grammar.ts';

/** What people call codes of the catalogue, when they say that it must not happen. */
const CALLED: readonly (readonly [code: string, ...patterns: string[]])[] = [
  ['agent_interrupts_caller', 'interrupt', 'interrupted', 'cut|cuts off'],
  ['barge_in_ignored', 'talk|speak over'],
  [
    'agent_repeats_line',
    'repeat itself|himself|herself',
    'repeat same|identical sentence|line|thing|question',
    'say same thing twice|again',
  ],
  [
    'reasked_known_slot',
    'ask same question|thing twice|again',
    'ask what|something|anything|things|questions? already said|told|given|gave|answered',
    'ask again already told|said|given',
  ],
  ['human_request_ignored', 'ignore request|requests person|human', 'ignore ask|asks|asking|who ask? person|human'],
  ['opt_out_ignored', 'ignore opt out|outs?', 'ignore opt-out|opt-outs'],
  [
    'sensitive_data_spoken',
    'read|say|speak|repeat out|back|aloud? payment|card|bank data|details|number|numbers aloud|out|loud?',
    'read|say|speak|repeat out|back|aloud? full|credit|whole? credit? card number|numbers|details|data aloud|out|loud?',
    'read|say|speak|repeat out|back|aloud? social security number|numbers aloud|out|loud?',
  ],
  [
    'prompt_leak',
    'reveal|leak|disclose|mention|share own|system? prompt|instructions|machinery',
    'talk|speak about? own? prompt|instructions|machinery',
  ],
  ['agent_hung_up_early', 'hang up too? early', 'hang up mid sentence', 'end too early'],
  [
    'voicemail_talked_to',
    'talk|speak voicemail|voicemails',
    'talk|speak answering machine|machines',
    'leave message|messages voicemail',
  ],
  [
    'claimed_without_tool',
    'claim|say success|done without tool',
    'say|claim done|booked when|although|though not',
    "say|claim done|booked when|although|though isn't|wasn't",
  ],
  ['claimed_after_failure', 'claim|say success|done after failure|failing|failed'],
  ['speech_too_fast', 'talk|speak too fast'],
  ['speech_too_slow', 'talk|speak too slow|slowly'],
  ['monologue', 'talk|speak too long', 'give|hold monologue|monologues'],
  ['talk_ratio_high', 'talk too much'],
  ['language_mismatch', 'answer|speak|talk|reply wrong language'],
  ['flow_loop', 'go|run round|around circles'],
  ['placeholder_spoken', 'read|say|speak out? placeholder|placeholders'],
  ['markup_spoken', 'read|say|speak out? formatting|markdown|markup'],
  ['duplicate_write', 'book twice', 'double-book|doublebook', 'double book', 'act|do same twice'],
  ['caller_frustrated', 'frustrate', 'get|gets|become frustrated', 'annoy'],
  ['dead_air', 'dead air'],
  ['transfer_failed', 'transfer|transfers fail'],
];

/** What rules find by themselves. */
const FOUND = new Map(
  [...CATALOGUE.values()]
    .filter(({ observation, suspected }) => observation !== true && suspected !== true)
    .map(({ code, title }) => [code, title.toLowerCase()]),
);

/** The code that a sentence is about; null where it is about none that the analysis finds by itself. */
export function signalIn(sentence: Sentence, polarity: Polarity): string | null {
  for (const [code, title] of FOUND) {
    if (sentence.take(`signal|code? ${code} signal|code?`)) return code;
    if (polarity === 'must_not' && sentence.take(title)) return code;
  }
  if (polarity === 'must') return null;
  return CALLED.find(([code, ...patterns]) => FOUND.has(code) && sentence.take(...patterns))?.[0] ?? null;
}
