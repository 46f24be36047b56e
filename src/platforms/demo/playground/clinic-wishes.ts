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
  ['cancel', /\bcancel|\bcall off\b|\bdrop out\b|\bwon'?t be coming\b|\btake (it|me) out\b/i],
  [
    'move',
    /\b(move|reschedul\w*|postpone|shift|push back|bring forward)\b|\bchange my\b|\b(another|different|other) (day|time|date)\b|\bcan'?t make\b/i,
  ],
  ['confirm', /\bconfirm\b/i],
  [
    'when',
    /\bwhen('?s| is| was) my\b|\bwhat (day|time|date) (is|was) (my|it)\b|\bremind me\b|\bforgot\b|\bdo i have an? (appointment|visit)\b/i,
  ],
  ['text', /\b(text|sms|text message)\b/i],
  ['fees', /\bhow much\b|\b(cost|costs|price|prices|pricing|fee|fees|charge|insurance|insurer|insured|copay|bill)\b/i],
  [
    'emergency',
    /\btooth-?ache\b|\bemergency\b|\b(in|severe|bad|terrible) pain\b|\bhurts?\b|\bswollen\b|\bbleeding\b|\bknocked out\b|\bcame off\b/i,
  ],
  [
    'info',
    /\b(opening )?hours\b|\b(when|what time|are you|do you) (do you )?(open|close|opened|closed)\b|\baddress\b|\blocated\b|\bwhere (exactly )?are you\b|\bdirections\b|\bget (to you|there)\b|\bpark(ing)?\b/i,
  ],
  [
    'book',
    /\b(book|appointment|schedule|visit|check-?up|cleaning|filling|whitening|crown|x-?ray|consultation|slot|come in|see (a|the|your) dentist|new patient|register|braces|implant)\b/i,
  ],
];

export function wishOf(text: string): ClinicWish | null {
  return WISHES.find(([, pattern]) => pattern.test(text))?.[0] ?? null;
}

const SERVICES: readonly (readonly [string, RegExp, string])[] = [
  ['cleaning', /\b(cleaning|hygien)/i, '90 to 140'],
  ['check-up', /\bcheck-?\s?up|\bexam/i, '60 to 110'],
  ['filling', /\bfilling/i, '150 to 290'],
  ['crown fitting', /\bcrown/i, '800 to 1200'],
  ['whitening', /\bwhiten/i, '280 to 420'],
  ['X-ray', /\bx-?ray/i, '40 to 90'],
  ['braces consultation', /\bbraces/i, '70 to 120'],
  ['implant consultation', /\bimplant/i, '90 to 150'],
  ['denture repair', /\bdenture/i, '120 to 260'],
  ['night guard fitting', /\b(night )?guard/i, '240 to 380'],
];

export const serviceOf = (text: string): string | null =>
  SERVICES.find(([, pattern]) => pattern.test(text))?.[0] ?? null;
export const feeOf = (service: string | null): string =>
  SERVICES.find(([name]) => name === service)?.[2] ?? '60 to 290';
