import { splitName } from '../../calls/tool-words.ts';
import { normalised, slugOf } from './variants.ts';

/** Words with which any service says that something went wrong, whatever it was. */
const EMPTY_WORDS = new Set(
  `a an and are as at be been but by can can't cannot could couldn't do does don't did didn't due for from has have i in internal is it its later me
  moment my not now of on or our please right so sorry that the then there this time to try trying unable us was wasn't we were will with
  won't you your again while when during due error errors err exception exceptions fail failed fails failing failure fault happened occurred
  occur invalid unknown unexpected unsuccessful went wrong something problem problems issue issues trouble request requests response result results server service system
  tool function call api http https code status message null undefined true false none complete completed process processed
  processing perform execute executed execution operation action handle support contact administrator team retry unspecified generic bad
  fehler fehlgeschlagen ein eine der die das ist nicht konnte es bitte später erneut versuchen etwas schief gelaufen
  el la un una los se ha ocurrido no pudo por favor más tarde intente fallo le les une erreur est survenue veuillez réessayer plus tard`
    .split(/\s+/)
    .filter((word) => word !== ''),
);
const TELLING_WORDS = 2;

/**
 * What a failed tool names as its reason, in the form in which the same answer on another call is equal; null where its
 * words say no more than that it failed: then the cause stays open.
 */
export function toolSays(message: string, tool: string): string | null {
  const words = normalised(message);
  const own = new Set(splitName(tool));
  const telling = words.filter((word) => !EMPTY_WORDS.has(word) && !own.has(word) && word.length > 2);
  return new Set(telling).size < TELLING_WORDS ? null : slugOf(words);
}
