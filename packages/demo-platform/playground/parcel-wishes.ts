import { readValues } from '../../../src/domain/values/read-values.ts';
import { GOODS } from '../parcel/phrases.ts';
import { readDay } from './days.ts';
import { asksForPerson, readPhone, withoutSounds } from './listen.ts';
import type { Talk } from './talk.ts';

/** What a caller of the parcel helpline may want. */
export type ParcelWish =
  | 'person'
  | 'complaint'
  | 'address'
  | 'claim'
  | 'pickup'
  | 'other day'
  | 'note'
  | 'link'
  | 'card'
  | 'price'
  | 'hours'
  | 'track';

/** The first that fits counts. */
const WISHES: readonly (readonly [ParcelWish, RegExp])[] = [
  ['complaint', /\bcomplain|\bcomplaint\b|\brude\b/i],
  ['address', /\b(change|correct|wrong|new|update)\b[^.?!]{0,120}\baddress\b/i],
  ['link', /\blink\b/i],
  ['note', /\b(note|tell|let|driver'?s?)\b[^.?!]{0,120}\bdriver\b|\bnote for\b|\bdoorbell\b|\bthe driver\b/i],
  ['claim', /\bclaim\b|\bdamaged\b|\bbroken\b|\bcrushed\b|\bsoaked\b|\bmissing from\b|\bsmashed\b|\blost\b/i],
  [
    'pickup',
    /\bpick(ing)? ?up\b|\bpick it up\b|\bcollect\b|\bpickup point\b|\blocker\b|\b(to|at) (a|one of your) shops?\b|\bshop near\b/i,
  ],
  [
    'other day',
    /\b(change|move|shift|another|different|other|re-?deliver\w*|reschedule)\b[^.?!]{0,120}\b(day|delivery|deliver|date|it|parcel|package)\b|\bre-?deliver|\bdeliver (it )?(on|tomorrow)\b|\b(get|have) (my|the|it)\b[^.?!]{0,120}\bon\b|\brather than\b|\binstead\b|\bnot (at )?home\b|\bnobody (will be|is) (in|home)\b/i,
  ],
  ['card', /\bcard\b|\brefund\b/i],
  ['price', /\bhow much\b|\bprice\b|\bcost\b|\bquote\b|\b(would|do) i pay\b|\bkilos?\b/i],
  ['hours', /\bhours\b|\b(open|close)\b/i],
  [
    'track',
    /\bwhere\b|\btrack|\b(parcel|package)s?\b|\bdelivery\b|\border(ed)?\b|\barriv|\bcome\b|\bsending\b|\bupdate\b|\bbe here\b/i,
  ],
];

/** "And the other one?": the same again for another parcel. */
export const meansAnother = (said: string) => /\b(other|second|another) (one|parcel|package|number)\b/i.test(said);

export function parcelWishOf(said: string): ParcelWish | null {
  if (asksForPerson(said)) return 'person';
  return WISHES.find(([, pattern]) => pattern.test(said))?.[0] ?? null;
}

/** Keeps what the caller tells, whenever it is told. */
export function hearParcel(talk: Talk, said: string): void {
  const number = readTracking(withoutSounds(said));
  if (number !== null) talk.keep('tracking_number', number);
  const day = readDay(said, talk.nowMs, talk.expected('change_delivery_day', 'date'));
  const instead = /\binstead of\b|\bnot home\b|\bwas due\b/i.test(said) && talk.recall('asked') === 'wish';
  if (day !== null && !instead) {
    talk.keep('day', day.iso);
    talk.keep('day_as_said', day.asSaid);
  }
  const phone = readPhone(said);
  if (phone !== null && number === null) talk.keep('phone', phone);
  const weight = /(?<!\d)(\d+(?:\.\d+)?)\s*(?:kg|kilo)/i.exec(said)?.[1] ?? spokenWeight(said);
  if (weight !== null) talk.keep('weight_kg', weight);
  if (/\bexpress\b/i.test(said)) talk.keep('service', 'express');
  const wish = parcelWishOf(said);
  if (wish === 'note') talk.keep('note', said.slice(0, 200));
  if (/\blost\b|\bnever (came|arrived)\b/i.test(said)) talk.keep('reason', 'missing');
  else if (wish === 'claim') talk.keep('reason', 'damaged');
  const goods = GOODS.find((one) => said.toLowerCase().includes(one.toLowerCase()));
  if (goods !== undefined) talk.keep('item', goods);
  keepDetail(talk, said);
}

/** The answer to what was asked last, in the caller's own words, without the number that may stand behind it. */
function keepDetail(talk: Talk, said: string): void {
  const asked = talk.recall('asked');
  if (asked !== 'detail' && asked !== 'number') return;
  const [words = ''] = said
    .replace(/^\W*(?:(?:it (?:was|is)|it's|there was|that (?:was|is)|that's|please|um|uh|yes|no|well|to)\b\W*)+/i, '')
    .split(/[,.;!?]|\b(?:the|tracking|and the) number\b/i);
  const detail = words.trim().slice(0, 120);
  if (detail === '' || !/\p{L}{3}/u.test(detail) || /^s ?l\b/i.test(detail)) return;
  if (talk.recall('wish') === 'claim' && talk.recall('item') === null) talk.keep('item', detail);
  const names = /\b(the|a|on|at|shop|store|bakery|kiosk|station|street|locker)\b/i.test(detail);
  if (talk.recall('wish') === 'pickup' && asked === 'detail' && names)
    talk.keep('pickup_point', detail.replace(/^(the|at) /i, ''));
}

/** `SL` and eight digits, however they are read out. */
function readTracking(said: string): string | null {
  const found = readValues(said).flatMap(({ forms }) => forms);
  const code = found.map((form) => /SL(\d{8})$/.exec(form)?.[1]).find((digits) => digits !== undefined);
  const digits = code ?? found.find((form) => /^\d{8}$/.test(form));
  const squeezed = /S\W*L((?:\W*\d){8})(?!\W*\d)/i.exec(said)?.[1]?.replace(/\D/g, '');
  const eight = digits ?? squeezed;
  return eight === undefined ? null : `SL${eight}`;
}

function spokenWeight(said: string): string | null {
  const value = readValues(said).find(({ kind, to }) => kind === 'number' && /^\s*(kg|kilo)/i.test(said.slice(to)));
  return value?.forms[0] ?? null;
}
