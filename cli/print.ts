import { PROGRAM } from '../src/layout.ts';
import { fold, layOut } from './lay-out.ts';

/** What people read goes through here: no control bytes of call texts reach the terminal, and lines fit it. */
export interface Printer {
  line(text?: string): void;
  /** A line that is copied into a shell or a program: never broken, however narrow the terminal is. */
  paste(text: string): void;
  /** Words that come piece by piece, with their own line ends. */
  words(text: string): void;
  /** Progress and notes, beside the result. */
  note(text: string): void;
  /**
   * How far something is: one live line on a terminal, else a line for each new stage, and every ten seconds at most
   * for what merely counts up. A note or `endProgress` ends the live line.
   */
  progress(stage: string, counts: string): void;
  endProgress(): void;
  json(value: unknown): void;
  /** @param below lines of text under each row. */
  table(headings: string[], rows: string[][], below?: string[][]): void;
}

const WIDTH_WITHOUT_TERMINAL = 120;
const SAY_COUNTS_EVERY_MS = 10_000;

export function createPrinter(out: NodeJS.WriteStream, notes: NodeJS.WriteStream, env: NodeJS.ProcessEnv): Printer {
  const bold = (text: string) =>
    out.isTTY && !env.NO_COLOR && env.TERM !== 'dumb' ? `\u001b[1m${text}\u001b[22m` : text;
  let live = false;
  let said = { stage: '', text: '', atMs: 0 };
  const endProgress = () => {
    if (live) notes.write('\n');
    live = false;
  };
  return {
    line: (text = '') => void out.write(linesOn(out, text)),
    paste: (text) => void out.write(`${clean(text)}\n`),
    words: (text) => void out.write(cleanLines(text)),
    note: (text) => {
      endProgress();
      notes.write(linesOn(notes, text));
    },
    progress(stage, counts) {
      const text = clean(counts === '' ? stage : `${stage}: ${counts}`);
      if (notes.isTTY && env.TERM !== 'dumb') {
        notes.write(`\r\u001b[2K${cut(text, (notes.columns ?? WIDTH_WITHOUT_TERMINAL) - 1)}`);
        live = true;
        return;
      }
      const nowMs = performance.now();
      const isDue = stage !== said.stage || (text !== said.text && nowMs - said.atMs > SAY_COUNTS_EVERY_MS);
      if (!isDue) return;
      said = { stage, text, atMs: nowMs };
      notes.write(`${text}\n`);
    },
    endProgress,
    json: (value) => void out.write(`${safeJson(value)}\n`),
    table(headings, rows, below = []) {
      const table = {
        headings,
        rows: rows.map((row) => row.map(clean)),
        below: below.map((lines) => lines.map(clean)),
      };
      const { head, lines } = layOut(table, widthOf(out));
      out.write(`${[...head.map(bold), ...lines].join('\n')}\n`);
    },
  };
}

/** What is read by a program, or kept in a file, has no width. */
const widthOf = ({ isTTY, columns }: NodeJS.WriteStream) =>
  isTTY ? (columns ?? WIDTH_WITHOUT_TERMINAL) : Number.POSITIVE_INFINITY;

const linesOn = (stream: NodeJS.WriteStream, text: string) =>
  foldAround(clean(text), widthOf(stream))
    .map((line) => `${line}\n`)
    .join('');

/** A command stays in one piece, so that it can be pasted: on a line of its own where it has no room beside the rest. */
function foldAround(text: string, width: number): string[] {
  const lines = fold(text, width);
  const at = text.lastIndexOf(` ${PROGRAM} `);
  const command = text.slice(at + 1);
  if (lines.length === 1 || at < 0 || /[.`]/.test(command)) return lines;
  return [...fold(text.slice(0, at), width), `  ${command}`];
}

/** What could move the cursor, colour the screen or turn the text around. */
export const MOVES = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** One line without any of that. */
export function clean(text: string): string {
  return text
    .replaceAll(/[\t\r\n]+/g, ' ')
    .replaceAll(MOVES, '')
    .toWellFormed();
}

export const cleanLines = (text: string): string => text.split('\n').map(clean).join('\n');

/** JSON of the same value, in which nothing of that stands as it is: a terminal may be what reads it. */
export const safeJson = (value: unknown): string => escapeMoves(JSON.stringify(value));

/** The same of JSON that is text already, or of a piece of it; the ends of lines stay. */
export const escapeMoves = (json: string): string =>
  json.replaceAll(MOVES, (mark) => (mark === '\n' ? mark : `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`));

function cut(text: string, width: number): string {
  return text.length <= width
    ? text
    : `${text
        .slice(0, Math.max(1, width - 1))
        .trimEnd()
        .toWellFormed()}…`;
}

export const percent = (share: number) => `${Math.round(share * 100)} %`;
