/** What a caller of the dental practice may want, as its agent tells wishes apart. */
export type ClinicWish =
  | 'person'
  | 'policy'
  | 'cancel'
  | 'move'
  | 'confirm'
  | 'when'
  | 'fees'
  | 'emergency'
  | 'info'
  | 'text'
  | 'callback'
  | 'book';

/** The first that fits counts, so that what is said in passing comes last. */
const WISHES: readonly (readonly [ClinicWish, RegExp])[] = [
  ['policy', /\b(cancell?ation|no-?show|late) (policy|fee|rules?|terms)\b|\bpolicy\b/i],
  ['callback', /\bcall (me )?back\b|\bcallback\b|\bring me back\b/i],
  ['cancel', /\bcancel|\bcall off\b|\bdrop out\b|\bwon'?t be coming\b|\btake (it |me )?out\b/i],
  [
    'move',
    /\b(move|reschedul\w*|postpone|shift|push back|bring forward)\b|\bchange my\b|\b(another|different|other) (day|time|date)\b|\bcan'?t make\b|\b(able|going) to make it\b/i,
  ],
  ['confirm', /\bconfirm\b|\bthanks for the reminder\b|\bi('ll| will) be there\b|\bit still works\b|\bwe'll come\b/i],
  [
    'when',
    /\bwhen('?s| is| was) my\b|\bwhat (day|time|date) (is|was) (my|it)\b|\bremind me\b|\bforgot\b|\bdo i have an? (appointment|visit)\b/i,
  ],
  ['text', /\b(text|sms|text message)\b/i],
  ['fees', /\bhow much\b|\b(cost|costs|price|prices|pricing|fee|fees|charge|insurance|insurer|insured|copay|bill)\b/i],
  [
    'emergency',
    /\btooth-?ache\b|\bemergency\b|\bpain\b|\bhurts?\b|\bswollen\b|\bbleeding\b|\bknocked out\b|\bcame off\b/i,
  ],
  [
    'info',
    /\b(opening )?hours\b|\b(when|what time|are you|do you) (do you )?(open|close|opened|closed)\b|\baddress\b|\blocated\b|\bwhere (exactly )?are you\b|\bdirections\b|\bget (to you|there)\b|\bpark(ing)?\b/i,
  ],
  [
    'book',
    /\b(book|appointment|schedule|visit|check-?up|cleaning|filling|whitening|crown|x-?ray|consultation|slot|come in|see (a|the|your) dentist|fit me in|when could i come|have (anything|something) (open|free)|new patient|register|braces|implant)\b/i,
  ],
];

export function wishOf(text: string): ClinicWish | null {
  return WISHES.find(([, pattern]) => pattern.test(text))?.[0] ?? (serviceOf(text) === null ? null : 'book');
}

/** As the practice calls them, with what they cost. */
const SERVICES: readonly (readonly [string, RegExp, string])[] = [
  ['a hygiene appointment', /\bhygien/i, '90 to 140'],
  ['a cleaning', /\bclean/i, '90 to 140'],
  ['a filling', /\bfilling/i, '150 to 290'],
  ['a crown fitting', /\bcrown/i, '800 to 1200'],
  ['whitening', /\bwhiten/i, '280 to 420'],
  ['an X-ray', /\bx-?ray/i, '40 to 90'],
  ['a night guard fitting', /\bguard fitting|\bnight guard/i, '240 to 380'],
  ['a consultation about braces', /\bbraces/i, '70 to 120'],
  ['a look at a chipped tooth', /\bchipped/i, '80 to 220'],
  ['a denture repair', /\bdenture/i, '120 to 260'],
  ['a second opinion on an implant', /\bimplant|\bsecond opinion/i, '90 to 150'],
  ['a check-up', /\bcheck-?\s?up|\bexam/i, '60 to 110'],
];

export const ANY_SERVICE = 'a visit';
export const serviceOf = (text: string): string | null =>
  SERVICES.find(([, pattern]) => pattern.test(text))?.[0] ?? null;
export const feeOf = (service: string): string => SERVICES.find(([name]) => name === service)?.[2] ?? '60 to 290';
