import { isJsonObject, type Json } from '../../src/domain/json.ts';
import { numberOf } from '../../src/platforms/lenient.ts';
import type { DemoCall } from './calls.ts';

const RATE = 8_000;
const SILENCE = 128;
const LOUDNESS = 40;
const PITCH = { agent: 196, user: 294 };
/** Each side has a channel, as where platforms record both apart. */
const CHANNELS = { agent: 0, user: 1 };
const BLOCK_BYTES = 2;
const HEADER_BYTES = 44;

/** What stands in for the recording of an invented call: a tone a word, lower for the agent, at the time of the word. */
export function soundOf({ payload }: DemoCall): Buffer {
  const frames = Math.ceil(((numberOf(payload.duration_ms) ?? 0) / 1000) * RATE);
  const samples = Buffer.alloc(frames * BLOCK_BYTES, SILENCE);
  const spoken = Array.isArray(payload.transcript_object) ? payload.transcript_object : [];
  for (const turn of spoken.filter(isJsonObject)) {
    const side = turn.role === 'agent' ? 'agent' : 'user';
    for (const word of wordsOf(turn.words)) addTone(samples, side, word);
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
function addTone(samples: Buffer, side: keyof typeof PITCH, { start, end }: Word): void {
  const first = Math.round(start * RATE) * BLOCK_BYTES + CHANNELS[side];
  const length = Math.round((end - start) * RATE);
  for (let at = 0; at < length && first + at * BLOCK_BYTES < samples.length; at += 1) {
    const swell = Math.sin((Math.PI * at) / length);
    const tone = LOUDNESS * swell * Math.sin((2 * Math.PI * PITCH[side] * at) / RATE);
    samples[first + at * BLOCK_BYTES] = SILENCE + Math.round(tone);
  }
}

/** Two channels of eight bits. */
function waveHeader(bytes: number): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('RIFF', 0);
  header.writeUInt32LE(HEADER_BYTES - 8 + bytes, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(BLOCK_BYTES, 22);
  header.writeUInt32LE(RATE, 24);
  header.writeUInt32LE(RATE * BLOCK_BYTES, 28);
  header.writeUInt16LE(BLOCK_BYTES, 32);
  header.writeUInt16LE(8, 34);
  header.write('data', 36);
  header.writeUInt32LE(bytes, 40);
  return header;
}
