import { CITATION_KINDS, type CitationKind } from '../vocabulary.ts';

/** What a model writes where it cites: `[call:<id>#12]`, `[issue:<id>]`. */
export interface Mark {
  kind: CitationKind;
  id: string;
  turn: number | null;
}

export type TextPart = { text: string } | { mark: Mark };

export interface MarkReader {
  /** @returns what is settled so far: a bracket that is still open is held back, and so is half of a surrogate pair. */
  read(text: string): TextPart[];
  /** What was held back at the end. */
  end(): TextPart[];
}

/** Longer than any list of marks that one pair of brackets holds. */
const HELD_AT_MOST = 400;
const UUID = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';
const MARK = new RegExp(`^(${CITATION_KINDS.join('|')}):\\s?(${UUID})(?:#(\\d{1,5}))?$`);
/** A citation that names nothing, and a number of our own kind. */
const NO_TEXT = new RegExp(`^(?:(?:${CITATION_KINDS.join('|')}):|\\^)`);

/**
 * Tells words from marks in a text that comes in pieces. What looks like a mark and names nothing is left out: neither an
 * invented citation nor a number that we give ourselves may reach a reader from the model.
 */
export function createMarkReader(): MarkReader {
  let held = '';
  return {
    read(text) {
      held += text;
      const parts: TextPart[] = [];
      for (let close = held.indexOf(']'); close >= 0; close = held.indexOf(']')) {
        const open = held.lastIndexOf('[', close);
        addText(parts, held.slice(0, open < 0 ? close + 1 : open));
        if (open >= 0) parts.push(...readBracket(held.slice(open, close + 1)));
        held = held.slice(close + 1);
      }
      const open = held.lastIndexOf('[');
      const settled = open >= 0 && held.length - open <= HELD_AT_MOST ? open : wholeLength(held);
      addText(parts, held.slice(0, settled));
      held = held.slice(settled);
      return parts;
    },
    end() {
      const left = held;
      held = '';
      return left === '' || NO_TEXT.test(left.slice(1)) ? [] : [{ text: left }];
    },
  };
}

/** Without the first half of a pair at the end: the other half comes with the next piece. */
const wholeLength = (text: string): number => (/[\uD800-\uDBFF]$/.test(text) ? text.length - 1 : text.length);

function addText(parts: TextPart[], text: string): void {
  if (text !== '') parts.push({ text });
}

function readBracket(bracket: string): TextPart[] {
  const inside = bracket.slice(1, -1).trim();
  if (!NO_TEXT.test(inside)) return [{ text: bracket }];
  return inside.split(/[,;]/).flatMap((one) => {
    const [, named, id, turn] = MARK.exec(one.trim()) ?? [];
    const kind = CITATION_KINDS.find((known) => known === named);
    if (kind === undefined || id === undefined) return [];
    const mark: Mark = { kind, id: id.toLowerCase(), turn: turn === undefined ? null : Number(turn) };
    return [{ mark }];
  });
}

/** The mark as a model writes it, so that it can cite again what an earlier answer cited. */
export const markText = ({ kind, id, turn }: Mark): string => `[${kind}:${id}${turn === null ? '' : `#${turn}`}]`;
