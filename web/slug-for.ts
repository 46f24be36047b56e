/** A slug made of a name, which none of the others has. @param otherwise where the name has no letter of the alphabet. */
export function slugFor(name: string, taken: readonly string[], otherwise: string): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^[_0-9]+|_$/g, '')
    .slice(0, 50);
  const slug = plain === '' ? otherwise : plain;
  // The page of a new one has this name.
  if (slug !== 'new' && !taken.includes(slug)) return slug;
  for (let nth = 2; ; nth += 1) if (!taken.includes(`${slug}_${nth}`)) return `${slug}_${nth}`;
}
