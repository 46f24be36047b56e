const DNI_LETTERS = 'TRWAGMYFPDXBNJZSQVHLCKE';

/**
 * Numbers that states give to people, by their own check digits or a shape that nothing else has; capitals and digits
 * alone. The American one has no check digit, so its three groups tell it.
 */
export function isNationalNumber(chars: string, groups: readonly number[]): boolean {
  if (groups.length === 3 && groups.join() === '3,2,4')
    return /^(?!000|666|9)\d{3}(?!00)\d\d(?!0000)\d{4}$/.test(chars);
  if (/^[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]\d{6}[A-D]$/.test(chars)) return true;
  if (/^[A-Z]{6}\d\d[A-EHLMPRST]\d\d[A-Z]\d{3}[A-Z]$/.test(chars)) return true;
  if (/^[XYZ\d]\d{7}[A-Z]$/.test(chars)) return isSpanish(chars);
  if (/^[12]\d{14}$/.test(chars)) return isFrench(chars);
  if (/^\d{11}$/.test(chars)) return isBrazilian(chars) || isGerman(chars) || isPolish(chars);
  return false;
}

const isSpanish = (chars: string) => {
  const digits = chars.slice(0, -1).replace(/^[XYZ]/, (letter) => String('XYZ'.indexOf(letter)));
  return DNI_LETTERS.charAt(Number(digits) % 23) === chars.at(-1);
};

const isFrench = (chars: string) => 97 - (Number(chars.slice(0, 13)) % 97) === Number(chars.slice(13));

const digitsOf = (chars: string) => [...chars].map(Number);

function isBrazilian(chars: string): boolean {
  if (new Set(chars).size === 1) return false;
  const check = (length: number) => {
    const sum = digitsOf(chars.slice(0, length)).reduce((total, digit, at) => total + digit * (length + 1 - at), 0);
    return ((sum * 10) % 11) % 10;
  };
  return check(9) === Number(chars.charAt(9)) && check(10) === Number(chars.charAt(10));
}

/** The tax number: ISO 7064, and no zero at its beginning. */
function isGerman(chars: string): boolean {
  if (chars.startsWith('0') || new Set(chars.slice(0, 10)).size > 9) return false;
  let product = 10;
  for (const digit of digitsOf(chars.slice(0, 10))) product = (((digit + product) % 10 || 10) * 2) % 11;
  return (11 - product) % 10 === Number(chars.charAt(10));
}

function isPolish(chars: string): boolean {
  const weights = [1, 3, 7, 9, 1, 3, 7, 9, 1, 3];
  const sum = weights.reduce((total, weight, at) => total + weight * Number(chars.charAt(at)), 0);
  const [month, day] = [Number(chars.slice(2, 4)) % 20, Number(chars.slice(4, 6))];
  return (10 - (sum % 10)) % 10 === Number(chars.charAt(10)) && month >= 1 && month <= 12 && day >= 1 && day <= 31;
}
