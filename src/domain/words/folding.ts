const MARKS = /[\u0300-\u036f]/g;
const NUMBER_PIECES = /(hundert|tausend)(?:und)?/;

/** "schön" and "schoen", "Straße" and "Strasse" are one word; "zweihundertdreißig" is said in three. */
export function foldGerman(word: string): readonly string[] {
  const plain = word.replaceAll('ä', 'ae').replaceAll('ö', 'oe').replaceAll('ü', 'ue').replaceAll('ß', 'ss');
  if (plain.length < COMPOUND_FROM || !NUMBER_PIECES.test(plain)) return [plain];
  return plain.split(NUMBER_PIECES).filter((piece) => piece !== '');
}

const COMPOUND_FROM = 8;

/** Recognisers leave accents out now and then; "sí" and "si" alone are told apart by theirs. */
export function foldSpanish(word: string): readonly string[] {
  return [word === 'sí' ? word : withoutMarks(word)];
}

/** "l'adresse" is two words, "j ai" is "j'ai", "ça" is "ca". */
export function foldFrench(word: string): readonly string[] {
  const plain = withoutMarks(word).replaceAll('œ', 'oe');
  return plain.includes("'") ? plain.split("'") : [plain];
}

function withoutMarks(word: string): string {
  for (let at = 0; at < word.length; at += 1)
    if (word.charCodeAt(at) > 0x7f) return word.normalize('NFD').replace(MARKS, '');
  return word;
}

/** Names are written without umlauts and accents as often as with them. */
export function plainLetters(name: string): string {
  if (!/[^\x20-\x7e]/.test(name)) return name;
  return name
    .replaceAll(/[äÄ]/g, 'ae')
    .replaceAll(/[öÖ]/g, 'oe')
    .replaceAll(/[üÜ]/g, 'ue')
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replace(MARKS, '');
}
