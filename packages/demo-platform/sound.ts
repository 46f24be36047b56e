import { isJsonObject, type Json } from '../../src/domain/json.ts';
import { numberOf } from '../../src/platforms/lenient.ts';
import type { DemoCall } from './calls.ts';

const RATE = 8_000;
const SILENCE = 128;
const LOUDNESS = 40;
const PITCH = { agent: 196, user: 294 };
const HEADER_BYTES = 44;

/** What stands in for the recording of an invented call: a tone a word, lower for the agent, at the time of the word. */
export function soundOf({ payload }: DemoCall): Buffer {
  const samples = Buffer.alloc(Math.ceil(((numberOf(payload.duration_ms) ?? 0) / 1000) * RATE), SILENCE);
  const spoken = Array.isArray(payload.transcript_object) ? payload.transcript_object : [];
  for (const turn of spoken.filter(isJsonObject)) {
    const pitch = turn.role === 'agent' ? PITCH.agent : PITCH.user;
    for (const word of wordsOf(turn.words)) addTone(samples, pitch, word);
  }
  return Buffer.concat([waveHeader(samples.length), samples]);
}

interface Word {
  start: number;
  end: number;
}

function wordsOf(words: Json | undefined): Word[] {
  return (Array.isArray(words) ? words : []).filter(isJsonObject).flatMap((word) => {
    const [start, end] = [numberOf(word.start), numberOf(word.end)];
    return start === null || end === null ? [] : [{ start, end }];
  });
}

/** Swells and fades, so that words are told apart. */
function addTone(samples: Buffer, pitch: number, { start, end }: Word): void {
  const first = Math.round(start * RATE);
  const length = Math.round((end - start) * RATE);
  for (let at = 0; at < length && first + at < samples.length; at += 1) {
    const swell = Math.sin((Math.PI * at) / length);
    samples[first + at] = SILENCE + Math.round(LOUDNESS * swell * Math.sin((2 * Math.PI * pitch * at) / RATE));
  }
}

/** One channel of eight bits. */
function waveHeader(bytes: number): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('RIFF', 0);
  header.writeUInt32LE(HEADER_BYTES - 8 + bytes, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(RATE, 24);
  header.writeUInt32LE(RATE, 28);
  header.writeUInt16LE(1, 32);
  header.writeUInt16LE(8, 34);
  header.write('data', 36);
  header.writeUInt32LE(bytes, 40);
  return header;
}
