import type { DraftTexts } from '../domain/drafts/parts.ts';
import { PlatformError } from './port.ts';

/** Texts that are put into a platform's document one by one, each in one place. */
export interface WrittenTexts {
  /** The new text of a part, or the one that stands there. */
  at<Standing>(path: string, standing: Standing): Standing | string;
  /** @throws PlatformError where a text found no place. */
  close(why: string): void;
}

export function openTexts(texts: DraftTexts): WrittenTexts {
  const left = new Set(Object.keys(texts));
  return {
    at(path, standing) {
      const text = texts[path];
      if (text === undefined) return standing;
      left.delete(path);
      return text;
    },
    close(why) {
      if (left.size === 0) return;
      throw new PlatformError('rejected', `These parts can't be written: ${[...left].join(', ')}. ${why}`);
    },
  };
}
