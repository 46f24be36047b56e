import { isJsonObject, type Json } from '../json.ts';

/** What the name of a field says of the value in it. */
export type KeyMeaning = 'name' | 'number' | 'birth' | 'address' | 'city' | 'count' | 'plain';

/** A text or number in a document, with what its field says of it. */
export interface KeyedValue {
  text: string;
  isNumber: boolean;
  meaning: KeyMeaning;
}

const DEPTH_AT_MOST = 24;

const PEOPLE =
  'customer caller patient guest client contact member user person holder passenger attendee tenant borrower applicant subscriber spouse parent child lead recipient sender owner driver traveler traveller insured policyholder cardholder beneficiary buyer debtor kunde kundin cliente patiente paciente student resident donor visitor participant';
const PERSON = new Set(PEOPLE.split(' '));
const NAME_OF_PERSON = new Set(
  'firstname lastname fullname surname forename givenname familyname middlename nickname vorname nachname apellido apellidos nombre prenom customername patientname callername username'.split(
    ' ',
  ),
);
const PART_OF_NAME = new Set('first last given family middle full sur maiden nick'.split(' '));
const NUMBER = new Set(
  'phone mobile cell tel telephone fax ssn sin nino passport license licence iban account acct card pan cvv cvc pin zip zipcode postal postcode plz policy member insurance mrn routing plate vin imei ani callerid msisdn whatsapp phonenumber accountnumber cardnumber telefon telefono'.split(
    ' ',
  ),
);
const BIRTH = new Set('dob birth birthdate birthday dateofbirth born geburtsdatum nacimiento naissance'.split(' '));
const ADDRESS = new Set(
  'address address1 address2 addr street line1 line2 streetaddress strasse calle direccion adresse'.split(' '),
);
const COUNT = new Set(
  'amount price total cost balance fee cents usd eur duration ms seconds timestamp time ts created updated count size bytes lat lng'.split(
    ' ',
  ),
);
const CITY = new Set('city town suburb village ort stadt ciudad ville'.split(' '));

/** Every text and number of a document, in order; keys are `keyed` by themselves. */
export function keyedValues(value: Json): KeyedValue[] {
  const found: KeyedValue[] = [];
  const walk = (inner: Json, meaning: KeyMeaning, isOfPerson: boolean, depth: number): void => {
    if (typeof inner === 'string') found.push({ text: inner, isNumber: false, meaning });
    else if (typeof inner === 'number') found.push({ text: String(inner), isNumber: true, meaning });
    else if (depth < DEPTH_AT_MOST && Array.isArray(inner))
      for (const part of inner) walk(part, meaning, isOfPerson, depth + 1);
    else if (depth < DEPTH_AT_MOST && isJsonObject(inner)) {
      const keys = Object.keys(inner);
      const tellsAddress = meaning === 'address' || keys.some((key) => isOfAddress(wordsOfKey(key)));
      const tellsPerson = isOfPerson || keys.some((key) => isOfPersonAlone(key));
      for (const [key, part] of Object.entries(inner)) {
        const words = wordsOfKey(key);
        const own = meaningOf(words, part, { tellsPerson, tellsAddress });
        // An object of an address has its street and its town within.
        walk(part, own === 'plain' && meaning !== 'plain' ? meaning : own, isPersonKey(words), depth + 1);
        if (/[@]|\d{6}/.test(key)) found.push({ text: key, isNumber: false, meaning: 'plain' });
      }
    }
  };
  walk(value, 'plain', false, 0);
  return found;
}

const isOfAddress = (words: readonly string[]) =>
  words.some((word) => ADDRESS.has(word) || /^(?:zip|zipcode|postal|postcode|plz)$/.test(word)) ||
  ADDRESS.has(words.join(''));

function meaningOf(
  words: readonly string[],
  value: Json,
  { tellsPerson, tellsAddress }: { tellsPerson: boolean; tellsAddress: boolean },
): KeyMeaning {
  const squeezed = words.join('');
  const last = words.at(-1) ?? '';
  if (words.some((word) => BIRTH.has(word)) || BIRTH.has(squeezed)) return 'birth';
  if (words.includes('email') || words.includes('mail')) return 'plain';
  if (NAME_OF_PERSON.has(squeezed)) return 'name';
  if (last === 'name' || last === 'names') {
    const before = words.slice(0, -1);
    if (before.some((word) => PERSON.has(word) || PART_OF_NAME.has(word))) return 'name';
    return before.length === 0 && (tellsPerson || isJsonObject(value)) ? 'name' : 'plain';
  }
  if (last === 'by' && /^(?:booked|requested|reserved)$/.test(words[0] ?? '')) return 'name';
  if (words.length === 1 && PERSON.has(last) && typeof value === 'string' && looksLikeName(value)) return 'name';
  if (tellsAddress && words.some((word) => CITY.has(word))) return 'city';
  if (words.some((word) => ADDRESS.has(word)) || ADDRESS.has(squeezed)) return 'address';
  if (words.some((word) => NUMBER.has(word)) || NUMBER.has(squeezed)) return 'number';
  return words.some((word) => COUNT.has(word)) ? 'count' : 'plain';
}

const looksLikeName = (text: string) => /^\p{L}[\p{L}'’.-]{0,30}(?: \p{L}[\p{L}'’.-]{0,30}){0,3}$/u.test(text);

const isPersonKey = (words: readonly string[]) => words.some((word) => PERSON.has(word));

/** Such a field stands in no record of a thing. */
function isOfPersonAlone(key: string): boolean {
  const words = wordsOfKey(key);
  const squeezed = words.join('');
  return (
    words.some((word) => BIRTH.has(word) || /^(?:phone|mobile|email|telephone|telefon|ssn)$/.test(word)) ||
    BIRTH.has(squeezed) ||
    NAME_OF_PERSON.has(squeezed) ||
    (words.at(-1) === 'name' && words.some((word) => PART_OF_NAME.has(word)))
  );
}

/** "firstName", "first_name" and "First name" alike. */
function wordsOfKey(key: string): string[] {
  return key
    .slice(0, 100)
    .replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}
