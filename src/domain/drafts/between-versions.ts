import type { AgentConfiguration } from '../versions/configuration.ts';
import { type DraftTexts, partsOf } from './parts.ts';

/** The texts that both versions have and the later one says otherwise: what a draft of them would have changed. */
export function textsBetween(before: AgentConfiguration, after: AgentConfiguration): DraftTexts {
  const later = new Map(partsOf(after).map(({ path, text }) => [path, text]));
  return Object.fromEntries(
    partsOf(before).flatMap(({ path, text }) => {
      const now = later.get(path);
      return now === undefined || now === text ? [] : [[path, now]];
    }),
  );
}

const UNFILLED = /\{\{\s*([\w.-]+)\s*\}\}/g;

/** The texts without the sentences that hold a variable which nothing fills; none where there is no such variable. */
export function withoutUnfilled(configuration: AgentConfiguration): DraftTexts {
  const isUnfilled = (name: string) => configuration.variables[name] === null;
  const holds = (sentence: string) => [...sentence.matchAll(UNFILLED)].some((match) => isUnfilled(match[1] ?? ''));
  return Object.fromEntries(
    partsOf(configuration).flatMap(({ path, text }) => {
      const kept = text.split(/(?<=[.!?])\s+(?=\S)/).filter((sentence) => !holds(sentence));
      const now = kept.join(' ');
      return !holds(text) || now === '' ? [] : [[path, now]];
    }),
  );
}
