const CARD_AT_LEAST = 13;
const CARD_AT_MOST = 19;

/** Digits alone that a payment card can have: length, first digit, and the check digit of Luhn. */
export function isCard(digits: string): boolean {
  if (digits.length < CARD_AT_LEAST || digits.length > CARD_AT_MOST) return false;
  return /^[2-6]/.test(digits) && new Set(digits).size > 1 && hasCheckDigit(digits);
}

/** Whether the last digit checks the others, as that of a payment card does (Luhn). */
export const hasCheckDigit = (digits: string) => luhn(digits) === 0;

/** What is missing to a number without remainder; 0 where the last digit checks the others. */
function luhn(digits: string): number {
  let sum = 0;
  for (let place = 0; place < digits.length; place += 1) {
    const digit = Number(digits.charAt(digits.length - 1 - place));
    const doubled = place % 2 === 0 ? digit : digit * 2;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10;
}

/** @param digits without the last one. */
export function withCardCheck(digits: string): string {
  return `${digits}${(10 - luhn(`${digits}0`)) % 10}`;
}

const IBAN_LENGTHS: Readonly<Record<string, number>> = Object.fromEntries(
  'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18 DO28 EE20 EG29 ES24 FI18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MR27 MT31 MU30 NL18 NO15 PK24 PL28 PS29 PT25 QA29 RO24 RS22 SA24 SC31 SD18 SE24 SI19 SK24 SM27 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20'
    .split(' ')
    .map((one): [string, number] => [one.slice(0, 2), Number(one.slice(2))]),
);

/** Capitals and digits alone, with the length of its country and its two check digits. */
export function isIban(chars: string): boolean {
  if (IBAN_LENGTHS[chars.slice(0, 2)] !== chars.length || !/^\p{Lu}{2}\d\d[A-Z\d]+$/u.test(chars)) return false;
  return remainder97(chars.slice(4) + chars.slice(0, 4)) === 1;
}

/** @param chars an account number whose two check digits are any. */
export function withIbanCheck(chars: string): string {
  const country = chars.slice(0, 2);
  const check = 98 - remainder97(`${chars.slice(4)}${country}00`);
  return `${country}${String(check).padStart(2, '0')}${chars.slice(4)}`;
}

function remainder97(chars: string): number {
  let rest = 0;
  for (const char of chars) {
    const value = Number.parseInt(char, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest;
}
