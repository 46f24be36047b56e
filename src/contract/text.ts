import { z } from 'zod';

// Control characters, halves of surrogate pairs, marks that turn or hide text: none of them belongs in a name.
const HIDDEN =
  /[\u0000-\u001f\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;
const STACKED = /\p{M}{9,}/u;
const HIDDEN_REFUSED = 'must not hold control or hidden characters';

/** One line of text that a person gives: a name, a reason. */
export function plainText(min: number, max: number) {
  return z
    .string()
    .min(min)
    .max(max)
    .refine((text) => !HIDDEN.test(text) && !STACKED.test(text), HIDDEN_REFUSED)
    .refine((text) => min === 0 || text.trim() !== '', 'must not be empty');
}

/** Text of several lines that a person gives: a comment. */
export function prose(min: number, max: number) {
  return z
    .string()
    .min(min)
    .max(max)
    .refine((text) => !HIDDEN.test(text.replaceAll(/[\n\r\t]/g, ' ')) && !STACKED.test(text), HIDDEN_REFUSED)
    .refine((text) => min === 0 || text.trim() !== '', 'must not be empty');
}

export const email = z
  .email()
  .max(320)
  .transform((text) => text.toLowerCase());

/** At least ten characters; the length alone is asked for, because rules about kinds of characters make passwords worse. */
export const password = z.string().min(10).max(200);
