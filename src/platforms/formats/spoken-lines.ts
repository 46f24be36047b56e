import type { JsonObject } from '../../domain/json.ts';
import { lengthMs } from './clock.ts';
import { Speakers } from './speakers.ts';

/** A time before who speaks, as in `[00:04] Agent: Hello`. */
const TIME = /^[[(]?(\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d{1,3})?)[\])]?[ \t]{0,8}[-–—]?(?=[\s\p{L}])/u;
const NAME_MAX = 60;

/** Who speaks and when, in a line of its own, as in `Agent  0:04`. */
const HEADING = /^(\p{L}[^:<>.,;!?[\](){}]{0,40}?)[ \t]{1,9}[[(]?(\d{1,2}:\d{2}(?::\d{2})?)[\])]?$/u;

interface Line {
  name: string | null;
  time: string | undefined;
  words: string;
}

/** Who speaks, before the first colon or angle bracket of a line. */
function readLine(line: string): Line {
  const [whole = '', time] = TIME.exec(line) ?? [];
  const rest = line.slice(whole.length);
  const at = rest.slice(0, NAME_MAX + 1).search(/[:>]/);
  if (at < 1) return { name: null, time, words: line };
  const said = rest.slice(0, at);
  // "next Friday 10:30" is a time of which somebody speaks.
  if (/\d$/.test(said) && /^:\d\d/.test(rest.slice(at))) return { name: null, time, words: line };
  const open = said.endsWith(')') ? said.lastIndexOf('(') : -1;
  return { name: (open > 0 ? said.slice(0, open) : said).trim() || null, time, words: rest.slice(at + 1).trim() };
}

/** Who speaks and when in a line of their own, and what is said below. */
function readHeading(line: string): Line {
  const [, name = null, time] = HEADING.exec(line) ?? [];
  return { name, time, words: '' };
}

const LONGEST_TEXT = 4 * 1024 * 1024;

/**
 * Lines that begin with who speaks, as entries of a conversation; lines that do not go on with what stands before them.
 * Null where the text is nothing of the kind.
 */
export function spokenLines(text: string, roles: Readonly<Record<string, string>>): JsonObject[] | null {
  if (text.length > LONGEST_TEXT) return null;
  const speakers = new Speakers(roles);
  const lines = text.split(/\r\n?|\n/).map((line) => line.trim());
  const isHeaded = HEADING.test(lines.find((line) => line !== '') ?? '');
  const read = lines.map(isHeaded ? readHeading : readLine);
  const names = read.map(({ name }) => name);
  const counts = new Map<string, number>();
  for (const name of names) if (name !== null) counts.set(name, (counts.get(name) ?? 0) + 1);
  // A word before a colon that comes once and that nobody knows is more likely part of what is said.
  const isEachNamed = lines.every((line, at) => line === '' || isName(names[at] ?? ''));
  const isSpeaker = (name: string | null): name is string =>
    name !== null && (speakers.isKnown(name) || (isName(name) && (isEachNamed || (counts.get(name) ?? 0) > 1)));
  const entries: { speaker: string; said: string[]; times: { startMs?: number; endMs?: null } }[] = [];
  for (const [at, line] of lines.entries()) {
    const { name = null, time, words = '' } = read[at] ?? {};
    const last = entries.at(-1);
    if (name !== null && (isHeaded || isSpeaker(name))) {
      const startMs = lengthMs(time);
      entries.push({ speaker: name, said: [words], times: startMs === null ? {} : { startMs, endMs: null } });
    } else if (last !== undefined) last.said.push(line);
    else if (line !== '') return null;
  }
  if (entries.length === 0) return null;
  return entries.map(({ speaker, said, times }) => ({ speaker, text: joinLines(said), ...times }));
}

/** At the end of a turn and not line by line, which would copy a long one once for each of its lines. */
export const joinLines = (lines: readonly string[]): string => lines.filter((line) => line !== '').join(' ');

/** Whether a word before a colon looks like who speaks and not like a part of a sentence. */
const isName = (text: string) =>
  /\p{L}/u.test(text) && text.split(/\s+/).length <= 4 && !/[.,;!?"/]/.test(text) && !/https?$/.test(text);
