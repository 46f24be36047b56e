import type { Polarity } from '../vocabulary.ts';
import type { Sentence } from './grammar.ts';
import type { Bounds } from './watch.ts';

export interface Amount {
  how: 'most' | 'least' | 'more' | 'less' | 'exactly' | 'plain';
  value: number;
  /** `times` and `turns` are counted, `s` and `usd` are measured. */
  unit: 'times' | 'turns' | 's' | 'usd';
  /** As it is written, for where nothing could be made of it. */
  text: string;
}

const HOW: readonly (readonly [Amount['how'], string])[] = [
  ['most', 'no|not more|longer|later'],
  ['least', 'least|minimum'],
  ['most', 'most|maximum|within|up'],
  ['less', 'under|below|less|fewer|shorter'],
  ['more', 'more|longer|over|above|exceed|exceeding|greater'],
  ['most', 'only|just'],
  ['exactly', 'exactly|exact'],
  ['plain', ''],
];

const UNITS: readonly (readonly [Amount['unit'], string, number])[] = [
  ['times', 'once', 1],
  ['times', 'twice', 2],
  ['times', '# times', 1],
  ['times', 'second time', 2],
  ['s', '# seconds|secs|sec|s', 1],
  ['s', '# minutes|mins|min', 60],
  ['s', '# hours', 3600],
  ['turns', '# turns|exchanges', 1],
  ['usd', '# dollars|usd', 1],
  ['usd', '# cents', 0.01],
];

export const isTime = ({ unit }: Pick<Amount, 'unit'>) => unit === 's';

/** Takes a number with its unit and what bounds it: "at most twice", "more than 3 seconds". @param lead words in front of it. */
export function takeAmount(
  sentence: Sentence,
  lead = '',
  fits: (amount: Pick<Amount, 'unit'>) => boolean = () => true,
): Amount | null {
  for (const [how, words] of HOW) {
    for (const [unit, pattern, factor] of UNITS) {
      if (!fits({ unit })) continue;
      const found = sentence.take(
        [lead, words, pattern, unit === 'times' ? 'more|less|fewer?' : ''].filter(Boolean).join(' '),
      );
      if (found === null) continue;
      const value = pattern.includes('#') ? (found.numbers[0] ?? 0) * factor : factor;
      const last = found.words.at(-1);
      const after =
        how === 'plain' && last === 'more'
          ? 'least'
          : how === 'plain' && (last === 'less' || last === 'fewer')
            ? 'most'
            : how;
      return { how: after, value, unit, text: found.words.join(' ') };
    }
    const priced = sentence.peek([lead, words, '#'].filter(Boolean).join(' '));
    if (priced?.words.at(-1)?.startsWith('$') && fits({ unit: 'usd' })) {
      const found = sentence.take([lead, words, '#'].filter(Boolean).join(' '));
      if (found) return { how, value: found.numbers[0] ?? 0, unit: 'usd', text: found.words.join(' ') };
    }
  }
  return null;
}

/** What has to hold of the figure, whichever way round it is said; null where nothing can be made of it. */
export function boundsOf({ how, value, unit }: Amount, polarity: Polarity): Bounds | null {
  const step = unit === 'times' || unit === 'turns' ? 1 : 0;
  if (polarity === 'must') {
    switch (how) {
      case 'most':
        return { atMost: value };
      case 'less':
        return { atMost: value - step };
      case 'least':
        return { atLeast: value };
      case 'more':
        return { atLeast: value + step };
      case 'exactly':
      case 'plain':
        return unit === 'times' ? { atLeast: value, atMost: value } : { atMost: value };
    }
  }
  switch (how) {
    case 'more':
      return { atMost: value };
    case 'least':
      return { atMost: value - step };
    case 'less':
      return { atLeast: value };
    case 'most':
      return { atLeast: value + step };
    case 'exactly':
    case 'plain':
      // "Never twice" allows once; "never once" and "never exactly three times" say it too oddly to be sure of.
      return how === 'plain' && unit === 'times' && value > 1 ? { atMost: value - 1 } : null;
  }
}
