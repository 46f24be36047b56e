import { plainWords } from './tool-words.ts';

const VERIFIES = new Set('verify verification authenticate authentication identify identity login otp pin'.split(' '));
/** `check_customer`, `kunde_pruefen`: a name of nothing but checking and of whom. What looks something up has another verb. */
const CHECKS = new Set('check validate pruefen comprobar verificar controler valider verifier'.split(' '));
const PERSONS = new Set(
  'customer caller client member person holder patient pupil kunde kunden mitglied cliente socio adherent'.split(' '),
);

/** Whether a tool by its name verifies who is calling. */
export function verifies(name: string): boolean {
  const words = plainWords(name);
  if (words.some((word) => VERIFIES.has(word))) return true;
  const isOnly = words.every((word) => CHECKS.has(word) || PERSONS.has(word));
  return isOnly && words.some((word) => CHECKS.has(word)) && words.some((word) => PERSONS.has(word));
}
