import { readValues } from '../../../domain/calls/values/read-values.ts';
import { asksForPerson, readDay, readPhone } from './listen.ts';
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
  ['address', /\b(change|correct|wrong|new|update)\b[^.?!]*\baddress\b/i],
  ['claim', /\bclaim\b|\bdamaged\b|\bbroken\b|\bcrushed\b|\bsoaked\b|\bmissing from\b|\bsmashed\b|\blost\b/i],
  ['link', /\blink\b/i],
  ['note', /\b(note|tell|let)\b[^.?!]*\bdriver\b|\bnote for\b|\bdoorbell\b/i],
  ['pickup', /\bpick(ing)? ?up\b|\bpick it up\b|\bcollect\b|\bpickup point\b|\blocker\b/i],
  [
    'other day',
    /\b(change|move|shift|another|different|other|re-?deliver\w*|reschedule)\b[^.?!]*\b(day|delivery|deliver|date|it|parcel|package)\b|\bre-?deliver|\bdeliver (it )?(on|tomorrow)\b|\bnot (at )?home\b|\bnobody (will be|is) (in|home)\b/i,
  ],
  ['card', /\bcard\b|\brefund\b/i],
  ['price', /\bhow much\b|\bprice\b|\bcost\b|\bquote\b/i],
  ['hours', /\bhours\b|\b(open|close)\b/i],
  ['track', /\bwhere\b|\btrack|\bparcel\b|\bpackage\b|\bdelivery\b|\border\b|\barriv|\bcome\b/i],
];

export function parcelWishOf(said: string): ParcelWish | null {
  if (asksForPerson(said)) return 'person';
  return WISHES.find(([, pattern]) => pattern.test(said))?.[0] ?? null;
}

/** Keeps what the caller tells, whenever it is told. */
export function hearParcel(talk: Talk, said: string): void {
  const number = readTracking(said);
  if (number !== null) talk.keep('tracking_number', number);
  const day = readDay(said, talk.nowMs);
  const instead = /\binstead of\b|\bnot home\b|\bwas due\b/i.test(said) && talk.recall('asked') === 'wish';
  if (day !== null && !instead) {
    talk.keep('day', day.iso);
    talk.keep('day_as_said', day.asSaid);
  }
  const phone = readPhone(said);
  if (phone !== null && number === null) talk.keep('phone', phone);
  const weight = /(\d+(?:\.\d+)?)\s*(?:kg|kilo)/i.exec(said)?.[1] ?? spokenWeight(said);
  if (weight !== null) talk.keep('weight_kg', weight);
  if (/\bexpress\b/i.test(said)) talk.keep('service', 'express');
  const wish = parcelWishOf(said);
  if (wish === 'note') talk.keep('note', said.slice(0, 200));
  if (/\bmissing|\blost\b/i.test(said)) talk.keep('reason', 'missing');
  else if (wish === 'claim') talk.keep('reason', 'damaged');
  keepDetail(talk, said);
}

/** The answer to what was asked last, in the caller's own words. */
function keepDetail(talk: Talk, said: string): void {
  if (talk.recall('asked') !== 'detail') return;
  const words = said
    .replace(/^\W*(?:(?:it (?:was|is)|it's|there was|that's|the|please|um|uh|yes|to|at)\b\W*)+/i, '')
    .replace(/[.!?]+\s*$/, '')
    .slice(0, 120);
  if (words === '') return;
  if (talk.recall('wish') === 'claim' && talk.recall('item') === null) talk.keep('item', words);
  if (talk.recall('wish') === 'pickup' && talk.recall('pickup_point') === null) talk.keep('pickup_point', words);
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
