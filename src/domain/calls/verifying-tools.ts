import { CHECKS, PERSONS, VERIFIES } from '../words/tools/names.ts';
import { plainWords } from './tool-words.ts';

/** Whether a tool by its name verifies who is calling. */
export function verifies(name: string): boolean {
  const words = plainWords(name);
  if (words.some((word) => VERIFIES.has(word))) return true;
  const isOnly = words.every((word) => CHECKS.has(word) || PERSONS.has(word));
  return isOnly && words.some((word) => CHECKS.has(word)) && words.some((word) => PERSONS.has(word));
}
