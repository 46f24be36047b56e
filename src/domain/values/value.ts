export type ValueKind = 'money' | 'date' | 'time' | 'code' | 'number';

/** A value in a text, in forms in which equal values are equal strings whatever way they were said or written. */
export interface SpokenValue {
  kind: ValueKind;
  /** Place in the text, in UTF-16 units. */
  from: number;
  to: number;
  /**
   * What it may mean, the likeliest first: `1425` and `14.25` for "fourteen twenty-five dollars", `0570` and `1290` (minutes of
   * the day) for "half past nine", `05-24` or `2024-05-24` for a date, `weekday-5` for a Friday, `K47B19` for a code.
   */
  forms: readonly string[];
}

/** `choice` is one of a few words of which only one can hold: a size, a part of the day, cash or card. */
export type ActValueKind = ValueKind | 'choice' | 'spelling' | 'email';

/** A value as it was said, in forms in which equal values are equal strings whatever way they were said. */
export interface ActValue {
  kind: ActValueKind;
  /** Values of one slot can replace each other: `date`, `time`, `money`, `code`, `count:people`, `size`. */
  slot: string;
  from: number;
  to: number;
  text: string;
  forms: readonly string[];
  /** True where the words before it deny it: "not Thursday", "instead of the large one". */
  denied: boolean;
}

/** True where two values can mean the same: they share a form, a date without a year agrees with every year. */
export function sameValue(a: Pick<SpokenValue, 'kind' | 'forms'>, b: Pick<SpokenValue, 'kind' | 'forms'>): boolean {
  if (a.kind === 'date' && b.kind === 'date')
    return a.forms.some((one) => b.forms.some((other) => sameDate(one, other)));
  if (a.kind === 'time' && b.kind === 'number') return sameValue(a, asTime(b.forms));
  if (a.kind === 'number' && b.kind === 'time') return sameValue(asTime(a.forms), b);
  const counted = (kind: ValueKind) => kind === 'money' || kind === 'number';
  if (a.kind !== b.kind && !(counted(a.kind) && counted(b.kind))) return false;
  return a.forms.some((form) => b.forms.includes(form));
}

/** "0930" may be a time of day in four digits. */
function asTime(forms: readonly string[]): Pick<SpokenValue, 'kind' | 'forms'> {
  const found = forms.flatMap((form) => {
    if (!/^\d{4}$/.test(form)) return [];
    const [hour, minute] = [Number(form.slice(0, 2)), Number(form.slice(2))];
    return hour < 24 && minute < 60 ? [String(hour * 60 + minute).padStart(4, '0')] : [];
  });
  return { kind: 'time', forms: found };
}

function sameDate(a: string, b: string): boolean {
  if (a.length === b.length) return a === b;
  return a.length > b.length ? a.endsWith(b) && /^\d/.test(b) : b.endsWith(a) && /^\d/.test(a);
}

/** A number as a form: without trailing zeros, to the cent. */
export function numberForm(value: number): string {
  return String(Math.round(value * 100) / 100);
}
