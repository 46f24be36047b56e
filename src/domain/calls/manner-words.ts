const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/** Words by which people show how they talk, in English, German, Spanish and French: none of them means something else in another one. */
export const MANNER_WORDS = {
  hesitant: words('um uh er erm hm hmm umm uhh ähm äh öhm tja eh este euh heu ben bah'),
  polite: words('please thanks thank bitte danke dankeschön gracias favor merci plaît'),
} as const;
