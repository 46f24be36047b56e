/** What the words of a language do in a request. Forms are in lower case, as they are spoken. */
export interface RequestWords {
  /** Words of grammar, of talk, of greeting and of asking: every request may hold them, so they say nothing about it. */
  empty: ReadonlySet<string>;
  /** Where one of these or a question mark stands, a sentence asks. */
  asks: ReadonlySet<string>;
  /** After one of these a verb follows, mostly. */
  beforeVerbs: ReadonlySet<string>;
  /** After one of these a thing follows, at once or behind an adjective. */
  beforeThings: ReadonlySet<string>;
  /** How a verb ends that follows another one; null where its form does not tell. */
  infinitive: RegExp | null;
  /** People and what happens to be near: they name no request. */
  people: ReadonlySet<string>;
  /** Verbs that callers of any business use, each form with what it means. */
  verbs: ReadonlyMap<string, string>;
  /** Things that callers of any business ask for, each form with what it is. */
  things: ReadonlyMap<string, string>;
  /** Names put the thing in front of the verb ("Termin absagen"). */
  verbLast: boolean;
  /** By verb the word that joins a thing to it ("speak to"). */
  beforeObject: ReadonlyMap<string, string>;
  /** In front of the thing that a group only asks about. */
  askAbout: string;
  /** Where neither a verb nor a thing stands out. */
  generic: string;
}

export function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter((word) => word !== ''));
}

/** @param lines each `meaning: form form …`. */
export function meanings(lines: string): ReadonlyMap<string, string> {
  return new Map(
    lines.split('\n').flatMap((line) => {
      const [meaning = '', forms = ''] = line.split(':');
      return [...wordSet(forms)].map((form) => [form, meaning.trim()] as const);
    }),
  );
}
