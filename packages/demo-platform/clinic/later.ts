import type { LaterVersions } from '../later.ts';
import * as fault from './faults.ts';
import * as healthy from './healthy.ts';
import * as odd from './look-alikes.ts';

/** One better, one worse, and two more that fix a planted fault. */
export const clinicLater: LaterVersions = {
  traits: ['fees hand over', 'impatient look-up', 'diary announced', 'parking known'],
  told: { 'parking known': (text) => !text.includes('{{parking_note}}') },
  kinds: (traits) => [
    { kind: 'booking', count: 12, write: healthy.booking },
    { kind: 'moving', count: 7, write: healthy.moving },
    { kind: 'cancelling', count: 5, write: healthy.cancelling },
    { kind: 'fees', count: 4, write: healthy.askingFees },
    { kind: 'when', count: 4, write: healthy.askingWhen },
    { kind: 'handed over', count: 3, write: healthy.handedOver },
    traits.has('fees hand over')
      ? { kind: 'person at fees', count: 5, write: healthy.handedOver }
      : { kind: 'person refused', count: 5, write: fault.personRefused },
    traits.has('impatient look-up')
      ? { kind: 'look-up times out', count: 14, write: fault.lookUpTimesOut }
      : { kind: 'look-up in time', count: 6, write: healthy.booking },
    traits.has('diary announced')
      ? { kind: 'announced wait', count: 5, write: odd.announcedWait }
      : { kind: 'slow diary', count: 5, write: fault.slowDiary },
    traits.has('parking known')
      ? { kind: 'info', count: 5, write: healthy.askingInfo }
      : { kind: 'placeholder', count: 5, write: fault.placeholderSpoken },
  ],
};
