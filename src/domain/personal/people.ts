import type { Turn } from '../calls/call.ts';
import { GIVEN_NAMES, WORDS_TOO } from './given-names.ts';
import { foldWord } from './number-words.ts';
import { ORDINARY } from './ordinary-words.ts';

/** A name that was told, word by word; `family` where it is a last name, as behind "Mr". */
export interface FoundName {
  words: readonly string[];
  kind: 'whole' | 'given' | 'family';
}

interface NameWord {
  text: string;
  from: number;
  to: number;
}

const WORDS_AT_MOST = 4;
const TEXT_AT_MOST = 20_000;
const PARTICLES = new Set('van von de der den del della di da dos du la le bin al el ter zu y'.split(' '));

const TELLS_NAME =
  /\b(?:my (?:full |first |last |own )?name(?:['’]s| is|,|:)|names?(?:['’]s| is)|under (?:the )?(?:name|surname)(?: of)?|in the name of|(?:first|last|given|family|middle) name(?:['’]s| is|,|:)|surname(?:['’]s| is|,|:)|mein (?:vor|nach)?name(?:n)? ist|(?:vor|nach)name ist|ich hei(?:ß|ss)e|auf den namen|me llamo|mi (?:nombre|apellido) es|a nombre de|je m['’]appelle|mon (?:nom|prénom)(?: de famille)? (?:est|c['’]est)|au nom de)(?![\p{L}\p{N}])/giu;

/** These say a name or anything else. */
const MAY_TELL =
  /(?:^|[^\p{L}\p{N}])(?:this is|it['’]s|i['’]m|i am|call me|speaking (?:with|to)|is this|reach|calling for|behalf of|appointment (?:for|with)|hier (?:ist|spricht)|ich bin|soy|habla|je suis|ici|c['’]est)(?![\p{L}\p{N}])/giu;

const TITLE =
  /(?:^|[^\p{L}\p{N}])(?:mrs?|ms|miss|mister|dr|doctor|prof|professor|herrn?|frau|señora?|sra?|don|doña|monsieur|madame|mme|mlle)(?![\p{L}\p{N}])\.?/giu;

const RELATED =
  /(?:^|[^\p{L}\p{N}])(?:wife|husband|son|daughter|mother|father|mom|mum|dad|brother|sister|partner|friend|boss|boyfriend|girlfriend|child|grandson|granddaughter|grandmother|grandfather|roommate|colleague|assistant|spouse|fiancée?|niece|nephew|aunt|uncle|frau|mann|sohn|tochter|mutter|vater|bruder|schwester|esposa|esposo|marido|mujer|hijo|hija|madre|padre|hermano|hermana|femme|mari|fils|fille|mère|père|frère|sœur)(?:['’]s name)?(?: is)?(?: named| called)?,?(?![\p{L}\p{N}])/giu;

const ASKS_NAME =
  /\b(?:(?:your|full|first|last|sur|family|caller['’]?s) ?names?|name,? please|name\?|who(?:['’]s| is| am i) (?:calling|speaking)|whom? am i speaking|speak(?:ing)? with\?|ihr(?:en)? (?:vor|nach)?namen?|wie (?:heißen|ist ihr name)|mit wem|su (?:nombre|apellido)|cómo se llama|con quién|votre (?:nom|prénom)|qui est à l['’]appareil|à qui)/iu;

const ASKS_OTHER_NAME =
  /\bname of (?:the|your)\b|\b(?:company|business|pet|dog|cat|street|doctor|product|medication)['’]?s? name\b/iu;

/** Names that callers tell, that agents ask for and call them by, and those of the people whom they speak of. */
export function findNames(turns: readonly Pick<Turn, 'role' | 'text'>[]): FoundName[] {
  const found: FoundName[] = [];
  let isAsked = false;
  for (const { role, text: whole } of turns) {
    if (role !== 'caller' && role !== 'agent') continue;
    const text = whole.slice(0, TEXT_AT_MOST);
    if (role === 'caller') {
      found.push(...told(text), ...(isAsked ? answered(text) : []));
    } else if (text.trim() !== '') {
      isAsked = ASKS_NAME.test(text) && !ASKS_OTHER_NAME.test(text);
    }
    if (role === 'agent') found.push(...behind(text, MEANT_BY_AGENT, true));
    found.push(...behind(text, TITLE, false).map((name) => ({ ...name, kind: 'family' as const })));
    found.push(...behind(text, RELATED, true));
    found.push(...usualNames(text));
  }
  const own = new Set(turns.flatMap(({ role, text }) => (role === 'agent' ? ownNames(text) : [])));
  const isOwn = ({ words }: FoundName) => words.every((word) => own.has(foldWord(word)));
  const byCaller = turns.flatMap(({ role, text }) => (role === 'caller' ? told(text.slice(0, TEXT_AT_MOST)) : []));
  return [...found.filter((name) => !isOwn(name)), ...byCaller];
}

const MEANT_BY_AGENT =
  /(?:^|[^\p{L}\p{N}])(?:speaking (?:with|to)|is this|reach|calling for|thanks|thank you|hi|hello|hey|welcome back|great|perfect|okay|alright|sure|sorry|apologies|morning|afternoon|evening|danke|hallo|guten tag|gracias|hola|merci|bonjour),?(?![\p{L}\p{N}])/giu;

/** "This is Ava from Fern Dental": the agent is no person whose name must not be kept. */
function ownNames(text: string): string[] {
  const introduces =
    /\b(?:my name is|this is|i am|i['’]m|mein name ist|hier (?:ist|spricht)|me llamo|soy|je m['’]appelle|ici)(?![\p{L}\p{N}])/giu;
  return matchesOf(text.slice(0, TEXT_AT_MOST), introduces).flatMap((end) =>
    nameAt(text, end, { small: true }).map(({ text: word }) => foldWord(word)),
  );
}

function told(text: string): FoundName[] {
  const found: FoundName[] = [];
  for (const end of matchesOf(text, TELLS_NAME)) found.push(...named(nameAt(text, end, { small: true })));
  for (const end of matchesOf(text, MAY_TELL)) {
    const words = nameAt(text, end, { small: false });
    const [first] = words;
    if (first === undefined) continue;
    const follows = text.slice(words.at(-1)?.to ?? 0).trimStart();
    const endsThere = /^(?:[.,!?;]|$|(?:and|from|calling|here|speaking|with|und|von|y|de|et)(?![\p{L}\p{N}]))/iu.test(
      follows,
    );
    if (isGiven(first.text) || words.length > 1 || endsThere) found.push(...named(words));
  }
  const here = /(?:speaking|here|am apparat|al habla|à l['’]appareil)(?![\p{L}\p{N}])/iu.exec(text.slice(0, 200));
  if (here !== null) {
    const words = nameAt(text.slice(0, here.index), 0, { small: false });
    if (words.length > 0 && text.slice(words.at(-1)?.to ?? 0, here.index).trim() === '') found.push(...named(words));
  }
  return found;
}

const LEADS = new Set(
  "yes yeah yep sure okay ok of course it's its it is that's that is this um uh uhm so well and the name my first last full hi hello ja also äh mein ist sí si claro es mi nombre oui bien sûr c'est nom mon".split(
    ' ',
  ),
);
const ANSWER_WORDS_AT_MOST = 7;

/** The answer to a question for the name, whatever its letters: "quillan vostrikov". */
function answered(text: string): FoundName[] {
  const words = wordsIn(text);
  let at = 0;
  while (at < words.length && LEADS.has(words[at]?.text.toLowerCase() ?? '')) at += 1;
  const first = words[at];
  if (first === undefined || words.length - at > ANSWER_WORDS_AT_MOST) {
    return first === undefined ? [] : named(nameAt(text, first.from, { small: false }));
  }
  return named(nameAt(text, first.from, { small: true }));
}

function behind(text: string, pattern: RegExp, needsGiven: boolean): FoundName[] {
  return matchesOf(text, pattern).flatMap((end) => {
    const words = nameAt(text, end, { small: false });
    const first = words[0]?.text ?? '';
    return needsGiven && !isGiven(first) && words.length < 2 ? [] : named(words);
  });
}

/** A usual given name in capitals, wherever it stands, with the names behind it. */
export function usualNames(text: string): FoundName[] {
  const found: FoundName[] = [];
  let after = 0;
  for (const word of wordsIn(text)) {
    if (word.from < after || !isCapital(word.text) || !isGiven(word.text) || WORDS_TOO.has(foldWord(word.text)))
      continue;
    const words = nameAt(text, word.from, { small: false });
    after = words.at(-1)?.to ?? word.to;
    found.push(...named(words));
  }
  return found;
}

/** The words of a name that begins at a place of a text; none where something else stands there. */
function nameAt(text: string, from: number, { small }: { small: boolean }): NameWord[] {
  const lead = /^[\s,:.]{0,4}(?:(?:uh|um|er|äh|euh),?\s{1,3})?/u.exec(text.slice(from, from + 20))?.[0].length ?? 0;
  const words: NameWord[] = [];
  let at = from + lead;
  let particles: NameWord[] = [];
  for (;;) {
    const word = wordAt(text, at);
    if (word === null || words.length === WORDS_AT_MOST) break;
    const folded = foldWord(word.text);
    const isParticle = PARTICLES.has(folded) && words.length > 0 && !isCapital(word.text);
    if (isParticle) particles.push(word);
    else if (!isNameWord(word.text, { small, nth: words.length })) break;
    else {
      words.push(...particles, word);
      particles = [];
    }
    const gap = /^(?:[ \t\u00a0-]|\. ?(?=\p{Lu}))/u.exec(text.slice(word.to, word.to + 4));
    if (gap === null || (gap[0].startsWith('.') && word.text.length > 1)) break;
    at = word.to + gap[0].length;
  }
  return words.filter(({ text: word }) => !PARTICLES.has(word));
}

function isNameWord(word: string, { small, nth }: { small: boolean; nth: number }): boolean {
  const folded = foldWord(word);
  if (folded.length < 2 && !isCapital(word)) return false;
  const isTold = isCapital(word) && (GIVEN_NAMES.has(folded) || WORDS_TOO.has(folded));
  if (ORDINARY.has(folded) && !isTold) return false;
  if (isCapital(word)) return true;
  return small && (nth < 2 || GIVEN_NAMES.has(folded));
}

function named(words: readonly NameWord[]): FoundName[] {
  const texts = words.map(({ text }) => text);
  if (texts.join('').length < 2) return [];
  return [{ words: texts, kind: 'whole' }];
}

export const isGiven = (word: string): boolean => GIVEN_NAMES.has(foldWord(word));

const isCapital = (word: string) => /^\p{Lu}/u.test(word);

/** The places just behind what matches. */
function matchesOf(text: string, pattern: RegExp): number[] {
  return [...text.matchAll(pattern)].map((match) => match.index + match[0].length);
}

const WORD = /[\p{L}\p{M}]+(?:['’](?=\p{Lu})[\p{L}\p{M}]+)?/gu;

export function wordsIn(text: string): NameWord[] {
  return [...text.matchAll(WORD)].map((match) => ({
    text: match[0],
    from: match.index,
    to: match.index + match[0].length,
  }));
}

function wordAt(text: string, at: number): NameWord | null {
  const match = /^[\p{L}\p{M}]{1,40}(?:['’](?=\p{Lu})[\p{L}\p{M}]{1,40})?/u.exec(text.slice(at, at + 82));
  return match === null ? null : { text: match[0], from: at, to: at + match[0].length };
}
