import { sha256Hex } from '../digest.ts';
import type { AgentConfiguration } from '../versions/configuration.ts';
import { type DraftTexts, partsOf } from './parts.ts';

/** A change of one part: words in it by others, or the whole text. */
export type DraftChange =
  | { path: string; find: string; replace: string; text?: undefined }
  | { path: string; text: string; find?: undefined; replace?: undefined };

export interface ChangeProblem {
  /** Which change, from 0. */
  index: number;
  field: 'path' | 'find' | 'text' | 'replace';
  message: string;
}

/** The longest text that a part may become. */
export const TEXT_AT_MOST = 100_000;

/** Lays changes over a text, each over what the one before left. @returns the texts that differ from the base's. */
export function applyChanges(
  base: AgentConfiguration,
  standing: DraftTexts,
  changes: readonly DraftChange[],
): { texts: DraftTexts } | { problem: ChangeProblem } {
  const original = new Map(partsOf(base).map(({ path, text }) => [path, text]));
  const texts = new Map(Object.entries(standing));
  for (const [index, change] of changes.entries()) {
    const before = texts.get(change.path) ?? original.get(change.path);
    if (before === undefined) {
      const message = `This version has no text at ${JSON.stringify(change.path)} that a draft can change.`;
      return { problem: { index, field: 'path', message } };
    }
    const after = changedText(before, change);
    if (typeof after !== 'string') return { problem: { index, ...after } };
    if (after === original.get(change.path)) texts.delete(change.path);
    else texts.set(change.path, after);
  }
  return { texts: Object.fromEntries([...texts].toSorted(([a], [b]) => (a < b ? -1 : 1))) };
}

function changedText(before: string, change: DraftChange): string | Omit<ChangeProblem, 'index'> {
  const field = change.text === undefined ? 'replace' : 'text';
  const after = change.text ?? replacedOnce(before, change.find, change.replace);
  if (typeof after !== 'string') return after;
  if (after.length <= TEXT_AT_MOST) return after;
  return { field, message: `The text would have ${after.length} characters; it may have ${TEXT_AT_MOST}.` };
}

function replacedOnce(before: string, find: string, replace: string): string | Omit<ChangeProblem, 'index'> {
  const at = before.indexOf(find);
  if (at < 0) return { field: 'find', message: 'These words are not in the text as it stands.' };
  if (before.indexOf(find, at + 1) >= 0) {
    return { field: 'find', message: 'These words are in the text more than once. Give more of what is around them.' };
  }
  return before.slice(0, at) + replace + before.slice(at + find.length);
}

/** Changes without those of a text that was given whole afterwards: they say nothing of it any more. */
export function withoutReplaced(changes: readonly DraftChange[]): DraftChange[] {
  const givenWhole = new Map(changes.flatMap(({ path, text }, at) => (text === undefined ? [] : [[path, at]])));
  return changes.filter(({ path }, at) => at >= (givenWhole.get(path) ?? 0));
}

/** What a publish confirms and a run is of: these texts over this base, and nothing else. */
export function draftHashOf(baseHash: string, texts: DraftTexts): string {
  const ordered = Object.entries(texts).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `sha256:${sha256Hex(JSON.stringify([baseHash, ordered]))}`;
}
