import { does } from '../acts/act.ts';
import { type SpokenTurn, says } from '../acts/spoken-turn.ts';
import { cutWords } from '../text.ts';

/** The one place in which watches ask what a turn does. */
export const asksForPerson = (turn: SpokenTurn) => does(turn, 'asks_for_person');
/** To what was just asked: with a word of agreement, or shortly and without objecting, asking or telling anything new. */
export function agrees(turn: SpokenTurn): boolean {
  // "Sixty-four, hm, yes okay": an act of answering counts where the turn begins, agreement counts anywhere.
  const agreement = ['yes', 'accepts', 'go_ahead'].some((list) => says(turn, list));
  if (agreement && !does(turn, 'corrects', 'denies')) return true;
  const objects = does(turn, 'denies', 'corrects', 'asks_again', 'complains', 'asks');
  // "My boiler is broken" answers "how can I help?"; "that is it" asks for nothing, whatever its form.
  const asksForMore = does(turn, 'requests') && !does(turn, 'confirms', 'closes');
  // "Hold on" leaves it open.
  if (says(turn, 'wait')) return false;
  return !objects && !asksForMore && !turn.asks && turn.newSlots === 0 && turn.words.length <= SHORT_ANSWER;
}

const SHORT_ANSWER = 6;

/** A word without its ending, so that forms of one word are one: "refunds", "refunded", "refunding". */
export function stem(word: string): string {
  const bare = word.replace(/'s$/, '');
  const cut = bare.replace(bare.length < 5 ? /(?:es|s|e)$/ : /(?:ations?|ation|ments?|ings?|ed|es|s|e)$/, '');
  return cut.length < 3 ? bare.replace(/s$/, '') : cut.replace(/(.)\1$/, '$1');
}

/** Of a name as it is written in code: "book_table" and "bookTable" are two. */
export const wordsOfName = (name: string) =>
  cutWords(name.replaceAll('_', ' ').replaceAll(/([a-z])([A-Z])/g, '$1 $2')).words.filter((word) => word !== '');

const LITTLE = new Set(
  'a an the of for to and or in on at by with from as is are be it its that this these those their his her your our my any all each every they them he she you we i caller callers customer customers patient patients guest guests user users about before after until without first always never not do does must please sure make'.split(
    ' ',
  ),
);

/** Words that carry matter. */
export const matterOf = (text: string) => cutWords(text).words.filter((word) => !LITTLE.has(word) && word.length > 1);

/** Whether a sentence holds one of the words, in whatever form. */
export function holdsWord(text: string, words: readonly string[]): boolean {
  const stems = new Set(cutWords(text).words.map(stem));
  return words.some((word) => stems.has(stem(word)));
}

/** Sentences with their exact text. */
export const sentencesOf = (text: string) => (text.match(/[^.!?\n]+[.!?]*/g) ?? []).map((one) => one.trim());
