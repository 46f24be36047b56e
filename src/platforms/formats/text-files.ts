import type { JsonObject } from '../../domain/json.ts';
import { UnreadableCall } from '../port.ts';
import { lengthMs } from './clock.ts';
import { conversationOf } from './conversation.ts';
import type { Format, Given, Reading } from './format.ts';
import { like } from './marks.ts';
import { joinLines, spokenLines } from './spoken-lines.ts';

/** Texts of subtitles, and of lines that begin with who speaks. */
export const TEXT_FILES: readonly Format[] = [
  {
    name: 'WebVTT file',
    marks: { '': like('text that begins with WEBVTT', /^\ufeff?WEBVTT(\s|$)/) },
    read: (call) => subtitles(call, 'WebVTT'),
  },
  {
    name: 'SubRip (SRT) file',
    marks: {
      '': like(
        'text with a number and times',
        /^\ufeff?\s{0,9}(?:\d{1,9}[ \t]{0,9}\r?\n)?\d{1,2}:\d\d:\d\d[,.]\d{1,3}[ \t]{0,9}-->/,
      ),
    },
    read: (call) => subtitles(call, 'SubRip'),
  },
  {
    name: 'transcript as text',
    marks: { '': like('text whose lines begin with who speaks', /^[^\n{[]*[^\n:>]{1,60}[:>]/) },
    unless: (value) => typeof value !== 'string' || spokenLines(value, {}) === null,
    read: (call) =>
      conversationOf({ ...call, value: null }, { list: 'line', entries: spokenLines(textOf(call), call.roles) ?? [] }),
  },
  {
    name: 'text',
    marks: { '': like('text', /^/) },
    read() {
      throw new UnreadableCall(
        'The text is no transcript that is known: lines begin with who speaks, as in "Agent: Hello", or it is WebVTT or SubRip with speakers.',
      );
    },
  },
];

const textOf = ({ value }: Given) => (typeof value === 'string' ? value : '');

const TIMES =
  /^\s{0,9}((?:\d{1,4}:)?\d{1,2}:\d{1,2}[.,]\d{1,3})\s{0,9}-->\s{0,9}((?:\d{1,4}:)?\d{1,2}:\d{1,2}[.,]\d{1,3})/;

/** @throws UnreadableCall where the cues do not say who speaks. */
function subtitles(call: Given, what: string): Reading {
  const cues = cuesOf(textOf(call));
  if (cues.length > 0 && cues.every(({ speaker }) => speaker === null)) {
    throw new UnreadableCall(
      `The cues of the ${what} file do not say who speaks: export it with speakers, as \`<v Agent>\` or "Agent: Hello".`,
      'line 1',
    );
  }
  return conversationOf({ ...call, value: null }, { list: 'cue', entries: joined(cues), fields: { channel: 'voice' } });
}

interface Cue {
  speaker: string | null;
  text: string;
  startMs: number | null;
  endMs: number | null;
}

function cuesOf(text: string): Cue[] {
  const cues: Cue[] = [];
  for (const block of text.replace(/^\ufeff/, '').split(/(?:\r?\n){2,}|\r{2,}/)) {
    const lines = block.split(/\r\n?|\n/);
    const at = lines.findIndex((line) => TIMES.test(line));
    if (at < 0 || /^(NOTE|STYLE|REGION)\b/.test(block)) continue;
    const [, start, end] = TIMES.exec(lines[at] ?? '') ?? [];
    const times = { startMs: lengthMs(start), endMs: lengthMs(end) };
    for (const said of voicesOf(lines.slice(at + 1))) cues.push({ ...said, ...times });
  }
  return cues;
}

const VOICE = /^<v(?:\.[^\s>]{0,40})?[ \t]{1,9}([^<>]{1,80})>/;
const NAMED = /^(?:[-–—][ \t]{0,9})?(\p{L}[^:<>.,;!?]{0,40}):(?=\s)/u;

/** A cue may hold several voices, and a line of it may begin with who speaks. */
function voicesOf(lines: readonly string[]): Pick<Cue, 'speaker' | 'text'>[] {
  const voices: { speaker: string | null; said: string[] }[] = [];
  for (const part of lines.flatMap((line) => line.trim().split(/(?=<v[\s.])/))) {
    const [whole = '', name] = VOICE.exec(part) ?? NAMED.exec(part) ?? [];
    const words = plain(part.slice(whole.length));
    const last = voices.at(-1);
    if (name !== undefined) voices.push({ speaker: name.trim(), said: [words] });
    else if (last !== undefined) last.said.push(words);
    else if (words !== '') voices.push({ speaker: null, said: [words] });
  }
  return voices.map(({ speaker, said }) => ({ speaker, text: joinLines(said) }));
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', nbsp: ' ', lrm: '', rlm: '' };

const plain = (text: string) =>
  text
    .replaceAll(/<[^<>]{0,200}>/g, '')
    .replaceAll(/&(amp|lt|gt|nbsp|lrm|rlm);/g, (_, name: string) => ENTITIES[name] ?? '')
    .trim();

/** A cue that names nobody goes on with the one before it. */
function joined(cues: readonly Cue[]): JsonObject[] {
  const turns: (Omit<Cue, 'text'> & { said: string[] })[] = [];
  for (const { text, ...cue } of cues) {
    const last = turns.at(-1);
    if (cue.speaker === null && last !== undefined) {
      last.said.push(text);
      last.endMs = cue.endMs;
    } else turns.push({ ...cue, said: [text] });
  }
  return turns.map(({ said, ...cue }) => ({
    ...cue,
    speaker: cue.speaker ?? 'the first voice',
    text: joinLines(said),
  }));
}
