/** What is known of a word, as bits, so that a turn's words are looked up once for all who ask. */
export const STOP = 1;
/** A number, day or month in words. */
export const VALUE = 2;
/** Some phrase of some list begins with the word. */
export const STARTS_PHRASE = 4;
/** A choice, unit or other word that carries a value in some language ("large", "Dienstag"). */
export const VALUE_WORD = 8;
/** A value of the readers can begin with the word. */
export const BEGINS_VALUE = 16;
