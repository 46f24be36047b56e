import type { ToolDefinition } from '../versions/configuration.ts';
import { stem, wordsOfName } from './words.ts';

/** What the words of a sentence can name. */
export interface Named {
  tools: readonly ToolDefinition[];
  steps: readonly { id: string; label: string }[];
  intents: readonly { slug: string; label: string }[];
}

interface Token {
  /** Lower-case, apostrophes straightened; `«0»` stands for the first text in quotation marks, `,` for a pause. */
  word: string;
  /** Of a name that is written in one. */
  parts: readonly string[];
  form: string;
  isSilent: boolean;
  isTaken: boolean;
}

/** What a pattern found. */
export interface Taken {
  /** Every word from its first to its last, those too that say nothing. */
  words: readonly string[];
  numbers: number[];
  quotes: string[];
  tools: ToolDefinition[];
  /** Steps by label, intents by slug, and single words, where a pattern asks for them. */
  names: string[];
}

/**
 * One sentence, whose words are taken as they are read. A pattern is words with spaces between them: `a|b` is either, in
 * whatever form ("call" takes "calling"), `?` behind one says that it may be missing, and `#`, `<quote>`, `<tool>`,
 * `<named>` (a tool by its whole name), `<step>`, `<intent>` and `<word>` stand for what they name. Between two of its
 * words nothing stands but words that say nothing by themselves. What no pattern took was not read.
 */
export class Sentence {
  readonly #tokens: Token[];
  readonly #quotes: readonly string[];
  readonly #named: Named;

  constructor(text: string, quotes: readonly string[], named: Named) {
    this.#quotes = quotes;
    this.#named = named;
    this.#tokens = (text.replaceAll('’', "'").match(TOKEN) ?? []).map((written) => {
      const bare = written.replace(/(?<![.':-])[.':-]+$/, '');
      const word = bare.toLowerCase();
      return { word, parts: wordsOfName(bare), form: formOf(word), isSilent: SILENT.has(word), isTaken: false };
    });
  }

  /** Takes the words of the first of the patterns that stands in the sentence; null where none does. */
  take(...patterns: readonly string[]): Taken | null {
    for (const pattern of patterns) {
      const found = this.#find(pattern);
      if (found === null) continue;
      for (const token of this.#tokens.slice(found.from, found.to)) token.isTaken = true;
      return found.taken;
    }
    return null;
  }

  /** What a pattern would take. */
  peek(pattern: string): Taken | null {
    return this.#find(pattern)?.taken ?? null;
  }

  has(...patterns: readonly string[]): boolean {
    return patterns.some((pattern) => this.#find(pattern) !== null);
  }

  beginsWith(...words: readonly string[]): boolean {
    return words.includes(this.#tokens[0]?.word ?? '');
  }

  /** The words before and behind the first of these that is left, as sentences of their own; this one no longer has them. */
  split(...heads: readonly string[]): [Sentence, Sentence] | null {
    const at = this.#tokens.findIndex(({ word, isTaken }) => !isTaken && heads.includes(word));
    if (at < 0) return null;
    return [this.#part(this.#tokens.slice(0, at)), this.#part(this.#tokens.slice(at + 1))];
  }

  #part(tokens: Token[]): Sentence {
    const part = new Sentence('', this.#quotes, this.#named);
    part.#tokens.push(...tokens);
    return part;
  }

  /** Takes all that is left and says something; null, and nothing taken, where that is too much or binds or orders what is said. */
  takeRest(atMost: number): string[] | null {
    const left = this.#tokens.filter(isLeft);
    if (
      left.length === 0 ||
      left.length > atMost ||
      left.some(({ word }) => BINDING.has(word) || quoteAt(word) !== null)
    ) {
      return null;
    }
    for (const token of left) token.isTaken = true;
    return left.map(({ word }) => word);
  }

  /** What says something and was not read, words that stand side by side together. */
  unread(): string[] {
    const runs: string[][] = [];
    let isRun = false;
    for (const token of this.#tokens) {
      if (isLeft(token)) {
        if (isRun) runs.at(-1)?.push(this.#shown(token.word));
        else runs.push([this.#shown(token.word)]);
        isRun = true;
      } else if (token.isTaken || token.word === ',') isRun = false;
    }
    return runs.map((words) => words.join(' '));
  }

  #shown(word: string): string {
    const at = quoteAt(word);
    return at === null ? word : `"${this.#quotes[at] ?? ''}"`;
  }

  #find(pattern: string): { from: number; to: number; taken: Taken } | null {
    const elements = elementsOf(pattern);
    for (let from = 0; from < this.#tokens.length; from += 1) {
      const names: Omit<Taken, 'words'> = { numbers: [], quotes: [], tools: [], names: [] };
      const to = this.#match(elements, 0, from, names);
      if (to === null) continue;
      const words = this.#tokens.slice(from, to).map(({ word }) => word);
      return { from, to, taken: { words, ...names } };
    }
    return null;
  }

  /** Where the elements from this one on end, when they begin at this token. */
  #match(elements: readonly Element[], nth: number, at: number, names: Omit<Taken, 'words'>): number | null {
    const element = elements[nth];
    if (element === undefined) return at;
    const token = this.#tokens[at];
    const length = token === undefined || token.isTaken ? 0 : this.#lengthOf(element, at, names);
    const matched = length === 0 ? null : this.#match(elements, nth + 1, at + length, names);
    if (matched !== null) return matched;
    if (element.isOptional) {
      const without = this.#match(elements, nth + 1, at, names);
      if (without !== null) return without;
    }
    // What was read already stands in nobody's way: "book_visit must be called".
    return nth > 0 && (token?.isSilent || token?.isTaken) ? this.#match(elements, nth, at + 1, names) : null;
  }

  /** How many tokens from this one on are the element; 0 where they are not. */
  #lengthOf({ what, words, forms }: Element, at: number, names: Omit<Taken, 'words'>): number {
    const { word, form, isSilent } = this.#tokens[at] ?? NO_TOKEN;
    switch (what) {
      case '#': {
        const number = numberOf(word);
        if (number === null) return 0;
        names.numbers.push(number);
        return 1;
      }
      case '<quote>': {
        const quote = quoteAt(word);
        if (quote === null) return 0;
        names.quotes.push(this.#quotes[quote] ?? '');
        return 1;
      }
      case '<word>':
        if (isSilent || word === ',' || quoteAt(word) !== null) return 0;
        names.names.push(word);
        return 1;
      case '<named>':
      case '<tool>': {
        const found = this.#toolAt(at) ?? (what === '<tool>' ? this.#meantAt(at) : null);
        if (found === null) return 0;
        names.tools.push(found.tool);
        return found.length;
      }
      case '<step>': {
        const step = longest(this.#named.steps, ({ id, label }) =>
          Math.max(this.#lengthOfName(id, at), this.#lengthOfName(label, at)),
        );
        if (step === null) return 0;
        names.names.push(step.one.label);
        return step.length;
      }
      case '<intent>': {
        const intent = longest(this.#named.intents, ({ slug, label }) =>
          Math.max(this.#lengthOfName(slug, at), this.#lengthOfName(label, at)),
        );
        if (intent === null) return 0;
        names.names.push(intent.one.slug);
        return intent.length;
      }
      default:
        return words.has(word) || (!EXACT.has(word) && forms.has(form)) ? 1 : 0;
    }
  }

  /** As it is written, whole, or with spaces between its words: "book table" is not "book" too. */
  #toolAt(at: number): { tool: ToolDefinition; length: number } | null {
    const found = longest(this.#named.tools, ({ name }) => this.#lengthOfName(name, at));
    return found && { tool: found.one, length: found.length };
  }

  #lengthOfName(name: string, at: number): number {
    const wanted = wordsOfName(name);
    let matched = 0;
    let length = 0;
    while (matched < wanted.length) {
      const token = this.#tokens[at + length];
      if (token === undefined || token.isTaken) return 0;
      // Without words it is a pause or a text in quotation marks.
      if (token.parts.length === 0 || token.word.startsWith('«')) return 0;
      for (const word of token.parts) {
        if (word !== wanted[matched]) return 0;
        matched += 1;
      }
      length += 1;
    }
    return matched === wanted.length ? length : 0;
  }

  /** By a verb with which only one tool's name begins ("booking", "a table is booked"), with the words that its name or description has. */
  #meantAt(at: number): { tool: ToolDefinition; length: number } | null {
    const { tools } = this.#named;
    let found: { tool: ToolDefinition; length: number } | null = null;
    for (const tool of tools) {
      if (tool.kind !== 'other') continue;
      const [verb = '', ...others] = wordsOfName(tool.name).map(formOf);
      const kin = new Set([verb, ...others, ...wordsOfName(tool.description).filter(isPlain).map(formOf)]);
      let length = 0;
      let isVerb = false;
      for (let next = at; next < this.#tokens.length; next += 1) {
        const token = this.#tokens[next];
        if (token === undefined || token.isTaken || !(token.isSilent || kin.has(token.form))) break;
        if (token.isSilent) continue;
        isVerb ||= token.form === verb;
        length = next - at + 1;
      }
      if (!isVerb) continue;
      if (found !== null || tools.some((one) => one !== tool && formOf(wordsOfName(one.name)[0] ?? '') === verb))
        return null;
      found = { tool, length };
    }
    return found;
  }
}

const TOKEN = /«\d+»|,|[$\p{L}\p{N}][\p{L}\p{N}_'.:-]*/gu;
const NO_TOKEN: Token = { word: '', parts: [], form: '', isSilent: false, isTaken: true };

/** Forms of one word are one; short words have none. */
const formOf = (word: string) => (word.length <= 3 ? word : stem(word));

const isLeft = ({ word, isSilent, isTaken }: Token) => !isTaken && !isSilent && word !== ',';

/** Words that change no expectation by being there; what denies, counts, orders or binds is not among them. */
const SILENT = new Set(
  "a an the of for to and or in on at by with from as than is are was were be been being am it its it's itself that this these those their his her your our my any all each every they them he she him you we us i agent agents assistant bot robot ai caller callers caller's customer customers customer's patient patients guest guests user users client clients passenger passengers call calls conversation please sure make will would can could has have had having so also just do does did which who while during there ever".split(
    ' ',
  ),
);

/** Whether a piece denies, counts, orders or binds what stands beside it, so that without it the rest says something else. */
export const isBinding = (text: string) => text.split(' ').some((word) => BINDING.has(word));

/** Words of a description that may stand beside a tool's verb: none that would change what is said of it. */
const isPlain = (word: string) => !SILENT.has(word) && !BINDING.has(word);
const BINDING = new Set(
  "not no never only before after until unless without except if whether when whenever where once twice again first last more less most least fail fails failed error times always must should already don't doesn't can't cannot won't how what why because but".split(
    ' ',
  ),
);

/** Words that have no other forms: "note" is not "not". */
const EXACT = new Set(
  'not no never only before after until unless without except if whether when whenever where once twice'.split(' '),
);

interface Element {
  what: string;
  words: ReadonlySet<string>;
  forms: ReadonlySet<string>;
  isOptional: boolean;
}

const KNOWN = new Map<string, readonly Element[]>();

function elementsOf(pattern: string): readonly Element[] {
  const known = KNOWN.get(pattern);
  if (known) return known;
  const elements = pattern.split(' ').map((part): Element => {
    const isOptional = part.endsWith('?');
    const what = isOptional ? part.slice(0, -1) : part;
    const words = what.split('|');
    const forms = words.filter((word) => !EXACT.has(word)).map(formOf);
    return { what, words: new Set(words), forms: new Set(forms), isOptional };
  });
  KNOWN.set(pattern, elements);
  return elements;
}

function longest<One>(all: readonly One[], lengthOf: (one: One) => number): { one: One; length: number } | null {
  const found = all.map((one) => ({ one, length: lengthOf(one) })).filter(({ length }) => length > 0);
  return found.toSorted((a, b) => b.length - a.length)[0] ?? null;
}

function quoteAt(word: string): number | null {
  return word.startsWith('«') ? Number(word.slice(1, -1)) : null;
}

const NUMBERS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
const TENS: Record<string, number> = {
  fifteen: 15,
  twenty: 20,
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  ninety: 90,
};

function numberOf(word: string): number | null {
  const digits = word.replace('$', '');
  if (/^\d{1,6}(?:\.\d{1,3})?$/.test(digits)) return Number(digits);
  const at = NUMBERS.indexOf(word);
  return at < 0 ? (TENS[word] ?? null) : at;
}
