/** Names of steps as people write them: without case, accents, punctuation and double spaces. */
export function isSameName(a: string, b: string): boolean {
  return plain(a) === plain(b);
}

function plain(text: string): string {
  const letters = text.normalize('NFKD').toLowerCase().replaceAll(/\p{M}/gu, '');
  return letters.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').trim();
}
