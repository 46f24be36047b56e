/** How many characters two rows of one length differ in. */
export function apart(a: string, b: string): number {
  let count = 0;
  for (let at = 0; at < a.length; at += 1) if (a[at] !== b[at]) count += 1;
  return count;
}

/** The same figures in another order: "four nine" for "nine four". */
export function isShuffled(a: string, b: string): boolean {
  return a !== b && [...a].sort().join('') === [...b].sort().join('');
}

/** One of the two is the other one as it is misheard or misread: figures in another order, or one in four another one. */
export function isNearCode(a: string, b: string): boolean {
  if (a.length !== b.length || a === b) return false;
  const different = apart(a, b);
  return different <= Math.max(1, Math.floor(a.length / 4)) || (different <= SWAPPED_AT_MOST && isShuffled(a, b));
}

/** Two places changed with each other, or three in a circle; more is another code. */
const SWAPPED_AT_MOST = 3;
