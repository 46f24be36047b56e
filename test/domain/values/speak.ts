/** How people say values, for tests that speak a value and read it back. */

const SMALL =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = 'zero ten twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const ORDINALS =
  'zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth'.split(
    ' ',
  );
const LETTERS =
  'alpha bravo charlie delta echo foxtrot golf hotel india juliet kilo lima mike november oscar papa quebec romeo sierra tango uniform victor whiskey xray yankee zulu'.split(
    ' ',
  );
export const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);

/** 0 to 999,999 in words. */
export function sayNumber(value: number): string {
  if (value < 20) return SMALL[value] ?? '';
  if (value < 100) return `${TENS[Math.floor(value / 10)]}${value % 10 === 0 ? '' : ` ${SMALL[value % 10]}`}`;
  if (value < 1000) {
    const rest = value % 100;
    return `${SMALL[Math.floor(value / 100)]} hundred${rest === 0 ? '' : ` and ${sayNumber(rest)}`}`;
  }
  const rest = value % 1000;
  return `${sayNumber(Math.floor(value / 1000))} thousand${rest === 0 ? '' : ` ${sayNumber(rest)}`}`;
}

/** 1 to 31 as an ordinal in words. */
export function sayOrdinal(value: number): string {
  if (value <= 20) return ORDINALS[value] ?? '';
  if (value === 30) return 'thirtieth';
  return `${TENS[Math.floor(value / 10)]} ${ORDINALS[value % 10]}`;
}

/** A time of day as it is said with AM or PM: "nine thirty AM", "one oh five PM". */
export function sayTime(minutes: number): string {
  const hour = Math.floor(minutes / 60);
  const minute = minutes % 60;
  const said = minute === 0 ? '' : minute < 10 ? ` oh ${SMALL[minute]}` : ` ${sayNumber(minute)}`;
  return `${sayNumber(hour % 12 === 0 ? 12 : hour % 12)}${said} ${hour < 12 ? 'AM' : 'PM'}`;
}

/** A code letter by letter: with names of letters, or with bare letters. */
export function spell(code: string, byName: boolean): string {
  return [...code]
    .map((char) => {
      if (/\d/.test(char)) return SMALL[Number(char)];
      return byName ? LETTERS[char.charCodeAt(0) - 65] : char;
    })
    .join(' ');
}
