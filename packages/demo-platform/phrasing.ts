import type { Random } from './random.ts';

/**
 * Writes one sentence out of many that a pattern stands for: `[a|b|c]` is a choice (nested where wanted, an empty part
 * leaves it out), `{name}` is filled from `slots`.
 */
export function phrase(patterns: readonly string[], slots: Readonly<Record<string, string>>, random: Random): string {
  const filled = choose(random.pick(patterns), random).replace(
    /\{(\w+)\}/g,
    (whole, name: string) => slots[name] ?? whole,
  );
  return tidy(filled);
}

function choose(pattern: string, random: Random): string {
  let text = pattern;
  // Innermost choices first; a pattern is short, so the bound is only a guard.
  for (let steps = 0; steps < 60; steps += 1) {
    const inner = /\[([^[\]]*)\]/.exec(text);
    if (!inner) return text;
    const chosen = random.pick((inner[1] ?? '').split('|'));
    text = text.slice(0, inner.index) + chosen + text.slice(inner.index + inner[0].length);
  }
  return text;
}

function tidy(text: string): string {
  const spaced = text
    .replace(/\s+/g, ' ')
    .replace(/ ([,.?!;:])/g, '$1')
    .replace(/,\s*,/g, ',')
    .replace(/,([.?!])/g, '$1')
    .replace(/^[,.;:\s]+/, '')
    .trim();
  return spaced.replace(
    /(^|[.?!] )([a-z])/g,
    (_whole, before: string, letter: string) => before + letter.toUpperCase(),
  );
}

export const TEMPERS = ['plain', 'chatty', 'terse', 'hesitant', 'formal', 'hurried'] as const;
export type Temper = (typeof TEMPERS)[number];

const OPENERS: Record<Temper, readonly string[]> = {
  plain: ['', '', '', 'So ', 'Well, ', 'Okay, '],
  chatty: ['Oh, well, ', 'Right, so, ', 'You know what, ', 'Ah, okay, ', 'Let me think, ', ''],
  terse: [''],
  hesitant: ['Um, ', 'Uh, ', 'Er, ', 'Hmm, ', 'Let me see, um, ', ''],
  formal: ['', '', '', 'Well, ', 'If I may, '],
  hurried: ['', '', 'Okay, ', 'Right, ', 'Listen, '],
};

const ASIDES = [
  'my [daughter|sister|husband|neighbour|boss] [told me to sort this out|keeps reminding me about it]',
  'I am [on my lunch break|just walking the dog|making coffee at the moment|waiting for the bus]',
  'it has been [one of those weeks|quite a morning|a bit hectic over here]',
  'I [wrote it down somewhere|had it here a minute ago|found the letter now]',
  'we only moved here [in spring|last summer|two years ago]',
] as const;

/** The same content as different people say it: with hesitations, an aside, or nothing around it. */
export function sayAs(temper: Temper, text: string, random: Random): string {
  const opener = OWN_OPENING.test(text) ? '' : random.pick(OPENERS[temper]);
  const body = opener === '' ? text : opener + lowerFirst(text);
  if (temper === 'hesitant' && random.chance(0.5)) return tidy(hesitate(body, random));
  if (temper === 'chatty' && body.length > 25 && body.endsWith('.') && random.chance(0.35)) {
    return tidy(`${body.replace(/[.]$/, '')}, ${choose(random.pick(ASIDES), random)}.`);
  }
  return tidy(body);
}

/** What begins like this needs nothing before it. */
const OWN_OPENING =
  /^(yes|yeah|yep|yup|no|nope|nah|okay|ok|alright|right|great|perfect|sure|mm|uh|oh|ah|hmm?|hi|hello|hey|good|well|actually|hang|hold|bye|you too|same|thanks)\b/i;

/** Proper nouns and "I" keep their capital. */
function lowerFirst(text: string): string {
  return /^(I\b|I'|[A-Z][a-z]+day\b|[A-Z]{2}|Dr\b)/.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1);
}

function hesitate(text: string, random: Random): string {
  const words = text.split(' ');
  if (words.length < 6) return text;
  const at = random.whole(2, words.length - 3);
  return [...words.slice(0, at), random.pick(['um,', 'uh,', 'er,', 'well,']), ...words.slice(at)].join(' ');
}
