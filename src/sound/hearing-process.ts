import { endWithParent } from '../analyser/end-with-parent.ts';
import type { HeardCall } from '../domain/sound/heard-call.ts';
import type { ChannelLevels } from '../domain/sound/level-meter.ts';
import { listen } from '../domain/sound/listen.ts';
import type { HearingAnswer, HearingRequest } from './hear.ts';
import { levelReader } from './levels-of.ts';
import { SoundError } from './sound-error.ts';

/** The process that `hear.ts` opens: pieces of one recording after the other in, what was heard on each out. */
let reader = levelReader();

process.on('message', (request: HearingRequest) => {
  void answer(request).then((answered) => process.send?.(answered));
});
endWithParent();
process.send?.({ taken: true } satisfies HearingAnswer);

async function answer(request: HearingRequest): Promise<HearingAnswer> {
  try {
    if ('piece' in request) {
      await reader.push(request.piece);
      return { taken: true };
    }
    const channels = await reader.end();
    reader = levelReader();
    const heard: HeardCall = listen(channels, request.turns);
    const bands = channels.map(bandOf);
    return { heard, bands: heard.callerChannel === 1 ? bands.reverse() : bands };
  } catch (error) {
    if (error instanceof SoundError) return { unreadable: error.message };
    return { error: error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 200) : 'unknown error' };
  }
}

const STEPS_OF_A_BAR = 10;

/** What a picture needs: the loudest 10 ms of each 100, one byte of half decibels above -100 dBFS. */
function bandOf({ db }: ChannelLevels): Uint8Array {
  return Uint8Array.from({ length: Math.ceil(db.length / STEPS_OF_A_BAR) }, (_, bar) => {
    const loudest = Math.max(...db.subarray(bar * STEPS_OF_A_BAR, (bar + 1) * STEPS_OF_A_BAR));
    return Math.max(0, Math.min(255, Math.round((loudest + 100) * 2)));
  });
}
