import { foldName } from './collect.ts';
import { readStreets } from './streets.ts';

/** A postal address as it stands in a text: street and house number, with part of the house, postcode and town behind. */
export interface FoundAddress {
  from: number;
  to: number;
  /** The street's name without accents in lower case. */
  street: string;
}

const BEFORE_AT_MOST = 40;
const BEHIND_AT_MOST = 120;
const TELLS =
  /(?:address(?:['’]s| is|:)|liv(?:e|ing) (?:at|on)|located at|deliver(?:ed)? to|ship(?:ped)? to|moved to|adresse (?:ist|lautet|est)|wohn[et]n? (?:in der|am|im|in)|direcci[oó]n es|domicilio es|viv(?:o|imos) en(?: la)?|j['’]habite(?: au)?|nous habitons(?: au)?)(?![\p{L}\p{N}])/iu;

const UNIT =
  /^[,\s]{1,3}(?:#|(?:apt|apartment|suite|ste|unit|flat|wohnung|whg|piso|puerta|appartement|appt|bis)(?![\p{L}])\.?)\s?#?\s?[\p{L}\d]{0,5}/iu;
const BY_POSTCODE = /^[,\s]{1,3}(?:[A-Z]{1,2}-)?\d{5}(?![\d.])(?:\s\p{Lu}[\p{L}'’-]{1,30}){0,3}/u;
const BY_TOWN =
  /^[,\s]{1,3}(?:\p{Lu}[\p{L}'’.-]{1,30}[,\s]{1,2}){1,3}(?:[A-Z]{2}[,\s]{1,2})?(?:\d{5}(?:-\d{4})?|[A-Z]{1,2}\d[A-Z\d]?\s?\d[A-Z]{2})(?![\p{L}\d])/u;

/**
 * Addresses whose shape is clear, in order.
 * @param isTold somebody answers a question for an address: then streets in small letters are meant as such.
 * @param streets names that the call has shown to be of streets already.
 */
export function readAddresses(text: string, isTold: boolean, streets: ReadonlySet<string>): FoundAddress[] {
  const found: FoundAddress[] = [];
  for (const { name, number, whole, isClear } of readStreets(text)) {
    const street = foldName(text.slice(name.from, name.to));
    const last = found.at(-1);
    const isBehind = last !== undefined && text.slice(last.to, whole.from).trim().length <= 1 && street === '';
    if (last !== undefined && (isBehind || whole.from < last.to)) {
      last.to = Math.max(last.to, whole.to);
      continue;
    }
    const before = text.slice(Math.max(0, whole.from - BEFORE_AT_MOST), whole.from);
    const isMeant = number !== null && (isClear || (street !== '' && (isTold || TELLS.test(before))));
    if (isMeant || streets.has(street)) found.push({ from: whole.from, to: endOf(text, whole.to), street });
  }
  return found;
}

function endOf(text: string, end: number): number {
  // "12a", "12 bis".
  let to = end + (/^[a-h](?![\p{L}\d])/iu.exec(text.slice(end, end + 2))?.[0].length ?? 0);
  for (const pattern of [UNIT, BY_POSTCODE, BY_TOWN])
    to += pattern.exec(text.slice(to, to + BEHIND_AT_MOST))?.[0].length ?? 0;
  return to;
}
