import { cutWords } from '../calls/text.ts';
import type { ToolDefinition } from '../versions/configuration.ts';
import { stem } from './words.ts';

/**
 * The tools that a piece of a rule means: by their names, also with spaces between the words, else by a verb with which
 * only one tool's name begins ("before booking"). None where that is not clear.
 */
export function toolsIn(text: string, tools: readonly ToolDefinition[]): ToolDefinition[] {
  const plain = ` ${wordsOf(text).join(' ')} `;
  const named = tools.filter(({ name }) => plain.includes(` ${wordsOf(name).join(' ')} `));
  // "Book table" is not "book" too.
  const whole = named.filter(
    ({ name }) =>
      !named.some(
        (other) => other.name !== name && ` ${wordsOf(other.name).join(' ')} `.includes(` ${wordsOf(name).join(' ')} `),
      ),
  );
  if (whole.length > 0) return whole;
  const stems = new Set(wordsOf(text).map(stem));
  const fitting = tools.filter(({ kind, name }) => kind === 'other' && stems.has(stem(wordsOf(name)[0] ?? '')));
  return fitting.length === 1 ? fitting : [];
}

const wordsOf = (text: string) =>
  cutWords(text.replaceAll('_', ' ').replaceAll(/([a-z])([A-Z])/g, '$1 $2')).words.filter((word) => word !== '');
