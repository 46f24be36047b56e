/** How values are said in English, in whose words the readers of values read. */

import { wordSet } from '../question-words.ts';

export const SPELLING = new Map<string, string>(
  'alpha bravo charlie delta echo foxtrot golf hotel india juliet kilo lima mike november oscar papa quebec romeo sierra tango uniform victor whiskey xray yankee zulu'
    .split(' ')
    .map((word): [string, string] => [word, word.charAt(0).toUpperCase()]),
);

for (const [word, letter] of Object.entries({ alfa: 'A', juliett: 'J', whisky: 'W' })) SPELLING.set(word, letter);

export const SOUNDS = new Set(['uh', 'um', 'er', 'erm', 'ah', 'hm', 'hmm', 'eh']);

export const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
);

export const DAYS = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ');

export const CURRENCIES = new Set(
  'dollar dollars buck bucks usd euro euros eur pound pounds quid gbp franc francs chf rupee rupees yen'.split(' '),
);

export const HUNDREDTHS = new Set(['cent', 'cents', 'penny', 'pence', 'p']);

/** What goes on behind an amount: "a dollar fifty each", where "two dollars twenty people" counts something else. */
export const BEHIND_AMOUNT = new Set(
  'a an per each and or for is was on in at to instead more extra less off total please now today right then but so goes go comes together altogether all back will would has by from with if when refunded left'.split(
    ' ',
  ),
);

export const LASTS = new Set('hour hours minute minutes day days week weeks month months'.split(' '));

/** What stands before a time: "half nine" is half past nine there, while "the other half nine of us took" counts. */
export const BEFORE_TIME = new Set('at by until till from for to around before after and or between'.split(' '));

export const BEFORE_HOURS = new Set(
  "at from by until till around about before after is it's its was say like opens open closes close starts start begins begin leaves leave".split(
    ' ',
  ),
);

export const NUMBERED: ReadonlySet<string> = new Set(
  'room flight bus train tram route line gate platform unit suite apartment flat house locker number extension code order ticket page section table seat bay'.split(
    ' ',
  ),
);

export const SMALL: ReadonlyMap<string, number> = new Map(
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'
    .split(' ')
    .map((word, value): [string, number] => [word, value])
    .concat([['nought', 0]]),
);

export const TENS: ReadonlyMap<string, number> = new Map(
  'twenty thirty forty fifty sixty seventy eighty ninety'
    .split(' ')
    .map((word, at): [string, number] => [word, (at + 2) * 10]),
);

export const ORDINALS = new Map<string, number>(
  'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth'
    .split(' ')
    .map((word, at): [string, number] => [word, at + 1]),
);

ORDINALS.set('thirtieth', 30);

export const MORE_READER_WORDS = new Set(
  'am pm past to till after and of the point hundred thousand million oh noon midnight midday at dot dash hyphen minus underscore minutes cent cents p'.split(
    ' ',
  ),
);

/** Words with which a value goes on that has begun. */
export const GOES_ON = wordSet(
  "of in at am pm o'clock oclock past after to till minute minutes the and point hundred thousand million",
);
