/**
 * A light stem: plural and the common endings of verbs, so that "booking flights" and "book a flight" share their words.
 * @param language a language without endings of its own here is stemmed as English is.
 */
export function stem(word: string, language = 'en'): string {
  const strip = ENDINGS[language];
  if (strip !== undefined) return word.length > 4 ? word.replace(strip, '') : word;
  let base = word.endsWith("'s") ? word.slice(0, -2) : word;
  if (base.length > 5 && base.endsWith('ing')) base = undouble(base.slice(0, -3));
  else if (base.length > 4 && base.endsWith('ied')) base = `${base.slice(0, -3)}y`;
  else if (base.length > 4 && base.endsWith('ies')) base = `${base.slice(0, -3)}y`;
  else if (base.length > 4 && base.endsWith('ed')) base = undouble(base.slice(0, -2));
  else if (base.length > 3 && base.endsWith('s') && !base.endsWith('ss') && !base.endsWith('us'))
    base = base.slice(0, -1);
  return base.length > 4 && base.endsWith('e') ? base.slice(0, -1) : base;
}

const ENDINGS: Record<string, RegExp> = {
  de: /(?:en|er|es|n|e|s)$/,
  es: /(?:es|s|o|a)$/,
  fr: /(?:es|s|e|x)$/,
};

function undouble(word: string): string {
  const last = word.at(-1);
  return word.length > 3 && last === word.at(-2) && last !== 'l' && last !== 's' ? word.slice(0, -1) : word;
}
