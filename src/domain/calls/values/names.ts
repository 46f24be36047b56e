/** A name in the form in which equal names are equal: small letters without marks; letters that are spelled out are joined. */
export function nameForm(text: string): string {
  const words = text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\d']+/u)
    .filter((word) => word !== '');
  let form = '';
  let spelled = false;
  for (const word of words) {
    const letter = word.length === 1;
    form += form === '' || (letter && spelled) ? word : ` ${word}`;
    spelled = letter;
  }
  return form;
}

/** True where two names can be the same person's: equal, or one is a part of the other ("Jordan" and "Jordan Hill"). */
export function sameName(a: string, b: string): boolean {
  const first = nameForm(a)
    .split(' ')
    .filter((word) => word !== '');
  const second = nameForm(b)
    .split(' ')
    .filter((word) => word !== '');
  const [few, many] = first.length <= second.length ? [first, second] : [second, first];
  return few.length > 0 && few.every((word) => many.includes(word));
}
