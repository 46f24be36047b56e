/** One sentence, line or list item of a turn with its place in the text. */
export interface Sentence {
  text: string;
  from: number;
}

const SENTENCES_AT_MOST = 120;

/** Cuts a turn at line ends and where a sentence ends; a dot inside a number or an address ends nothing. */
export function cutSentences(text: string): Sentence[] {
  const sentences: Sentence[] = [];
  let from = 0;
  for (let at = 0; at <= text.length && sentences.length < SENTENCES_AT_MOST; at += 1) {
    const char = text[at];
    const ends =
      at === text.length || char === '\n' || ((char === '.' || char === '!' || char === '?') && isSpace(text[at + 1]));
    if (!ends) continue;
    const to = Math.min(text.length, char === '\n' ? at : at + 1);
    const piece = text.slice(from, to);
    if (piece.trim() !== '') {
      const lead = piece.length - piece.trimStart().length;
      sentences.push({ text: piece.trim(), from: from + lead });
    }
    from = at + 1;
  }
  return sentences;
}

function isSpace(char: string | undefined): boolean {
  return char === undefined || char === ' ' || char === '\n' || char === '\t' || char === '"' || char === '*';
}
