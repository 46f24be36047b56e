import type { SoundDecoder, TakeSamples } from './decoder.ts';
import { SoundError } from './sound-error.ts';
import { wavDecoder } from './wav.ts';

/** As many bytes as tell the format: a page of Ogg says its codec within them. */
export const MAGIC_BYTES = 64;

/**
 * A decoder by what the recording begins with; names and media types lie. @throws SoundError with what to export instead
 */
export async function openDecoder(begins: Uint8Array, take: TakeSamples): Promise<SoundDecoder> {
  const text = String.fromCharCode(...begins.subarray(0, MAGIC_BYTES));
  if (text.startsWith('RIFF') && text.startsWith('WAVE', 8)) return wavDecoder(take);
  if (text.startsWith('OggS') && text.includes('OpusHead')) return opusDecoder(take);
  if (text.startsWith('fLaC') || (text.startsWith('OggS') && text.includes('FLAC'))) return flacDecoder(take);
  if (text.startsWith('ID3') || isMp3Frame(begins)) return mp3Decoder(take);
  throw new SoundError(adviceFor(text, begins));
}

/** Eleven bits of sync, then a layer, which AAC in ADTS has none of. */
const isMp3Frame = ([first = 0, second = 0]: Uint8Array): boolean =>
  first === 0xff && (second & 0xe0) === 0xe0 && (second & 0x06) !== 0;

const INSTEAD = 'Export it as WAV, MP3, Ogg Opus, or FLAC.';

function adviceFor(text: string, [first = 0, second = 0]: Uint8Array): string {
  if (text.startsWith('ftyp', 4)) return `The recording is MP4, which holds AAC or video and is not read. ${INSTEAD}`;
  if (text.startsWith('\u001aE\u00df\u00a3')) return `The recording is WebM or Matroska, which is not read. ${INSTEAD}`;
  if (first === 0xff && (second & 0xf6) === 0xf0) return `The recording is AAC, which is not read. ${INSTEAD}`;
  if (text.startsWith('OggS')) return `The recording is Ogg with a codec other than Opus and FLAC. ${INSTEAD}`;
  if (text.startsWith('#!AMR')) return `The recording is AMR, which is not read. ${INSTEAD}`;
  if (/^\s*[<{[]/.test(text)) return 'The address of the recording answered text and no sound.';
  return `The recording is of no format that is read. ${INSTEAD}`;
}

/** What a package decodes of one piece. */
interface Decoded {
  channelData: Float32Array[];
  samplesDecoded: number;
  sampleRate: number;
}

/** Small pieces keep memory low: what is decoded is many times what is coded. */
const PIECE_BYTES = 16 * 1024;

interface PackagedDecoder {
  decode(bytes: Uint8Array): Decoded | Promise<Decoded>;
  flush?(): Promise<Decoded>;
  free(): void;
}

/** A package is loaded with the first recording that needs it. */
function packaged(decoder: PackagedDecoder, take: TakeSamples): SoundDecoder {
  const give = ({ channelData, samplesDecoded, sampleRate }: Decoded) => {
    if (samplesDecoded > 0) take(channelData, sampleRate);
  };
  return {
    async push(bytes) {
      for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
        give(await decoder.decode(bytes.subarray(at, at + PIECE_BYTES)));
      }
    },
    async end() {
      if (decoder.flush) give(await decoder.flush());
      decoder.free();
    },
  };
}

async function mp3Decoder(take: TakeSamples): Promise<SoundDecoder> {
  const { MPEGDecoder } = await import('mpg123-decoder');
  const decoder = new MPEGDecoder({ enableGapless: true });
  await decoder.ready;
  return packaged(decoder, take);
}

async function opusDecoder(take: TakeSamples): Promise<SoundDecoder> {
  const { OggOpusDecoder } = await import('ogg-opus-decoder');
  const decoder = new OggOpusDecoder();
  await decoder.ready;
  return packaged(decoder, take);
}

async function flacDecoder(take: TakeSamples): Promise<SoundDecoder> {
  const { FLACDecoder } = await import('@wasm-audio-decoders/flac');
  const decoder = new FLACDecoder();
  await decoder.ready;
  return packaged(decoder, take);
}
