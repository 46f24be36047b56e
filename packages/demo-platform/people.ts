import { TEMPERS, type Temper } from './phrasing.ts';
import type { Random } from './random.ts';

const FIRST_NAMES =
  'Amelia Oscar Priya Tomas Ingrid Desmond Lucia Harvey Noor Felix Bronwyn Mateo Greta Callum Yuki Rosalind Andre Petra Winston Leila Hugo Marisol Declan Saoirse Kofi Beatrix Ruben Anneke Elliot Farida Gideon Paloma Stellan Odette Rafael Imogen Tobias Zainab Casper Mirela Dorian Nadia Piers Helena Otis Sunniva Lorenzo Edith Amir Colette Barnaby Freya Viktor Rosa Emmett Thandi Julian Maeve Karl Selma'.split(
    ' ',
  );
const LAST_NAMES =
  'Thornbury Okafor Lindqvist Marchetti Pereira Whitlock Drummond Kowalski Ferreira Hollis Nakamura Bexley Castellan Vandermeer Rourke Ashdown Petrov Galloway Mbeki Sorensen Tilbury Haddad Quiroga Fairbanks Novak Eastwood Brandt Cavanagh Delacroix Iyer Pemberton Ruskin Silvestri Tan Underhill Voss Wainwright Yilmaz Zeller Abernathy Calloway Dunmore Espinoza Fitzroy Grantham Ibarra Jessop Kessler Lockhart Mortensen Oakley Prescott Radcliffe Santos Trevino Vickers Westbrook Ainsley Bartlett Corrigan'.split(
    ' ',
  );

export interface Person {
  first: string;
  last: string;
  full: string;
  /** E.164, from the ranges that are set aside for fiction. */
  phone: string;
  temper: Temper;
  birth: Date;
}

export function makePerson(random: Random): Person {
  const first = random.pick(FIRST_NAMES);
  const last = random.pick(LAST_NAMES);
  const birth = new Date(Date.UTC(random.whole(1944, 2004), random.whole(0, 11), random.whole(1, 28)));
  const area = random.pick(['202', '312', '415', '503', '617', '718', '808', '919']);
  const phone = `+1${area}55501${String(random.whole(0, 99)).padStart(2, '0')}`;
  return { first, last, full: `${first} ${last}`, phone, temper: random.pick(TEMPERS), birth };
}

const MONTHS = 'January February March April May June July August September October November December'.split(' ');
export const WEEKDAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');

/** A birth date the way people say one. */
export function sayBirth(birth: Date, random: Random): string {
  const month = MONTHS[birth.getUTCMonth()] ?? '';
  const day = ordinal(birth.getUTCDate());
  const year = birth.getUTCFullYear();
  return random.pick([
    `${month} ${day}, ${year}`,
    `the ${day} of ${month} ${year}`,
    `${birth.getUTCMonth() + 1}/${birth.getUTCDate()}/${year}`,
    `${month} ${birth.getUTCDate()}, ${year}`,
  ]);
}

/** `Tuesday, March 4th`. */
export function sayDay(day: Date): string {
  return `${WEEKDAYS[day.getUTCDay()]}, ${MONTHS[day.getUTCMonth()]} ${ordinal(day.getUTCDate())}`;
}

export function isoDay(day: Date): string {
  return day.toISOString().slice(0, 10);
}

export function ordinal(day: number): string {
  if (day >= 11 && day <= 13) return `${day}th`;
  return `${day}${{ 1: 'st', 2: 'nd', 3: 'rd' }[day % 10] ?? 'th'}`;
}

/** `14:40` as `2:40 PM`. */
export function sayTime(time: string): string {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  const twelve = hour % 12 === 0 ? 12 : hour % 12;
  return `${twelve}:${String(minute).padStart(2, '0')} ${hour < 12 ? 'AM' : 'PM'}`;
}

/** The first working day at least so many days after a moment. */
export function workDay(fromMs: number, days: number): Date {
  const day = new Date(fromMs + days * 86_400_000);
  while (day.getUTCDay() === 0 || day.getUTCDay() === 6) day.setUTCDate(day.getUTCDate() + 1);
  return day;
}
