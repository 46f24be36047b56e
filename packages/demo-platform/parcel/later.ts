import type { LaterVersions } from '../later.ts';
import * as fault from './faults.ts';
import * as healthy from './healthy.ts';

export const parcelLater: LaterVersions = {
  traits: ['dates as dates', 'notes kept', 'waits for goodbye'],
  told: {
    'dates as dates': (text) => text.includes('YYYY-MM-DD'),
    'waits for goodbye': (text) => text.includes('only after the caller has said goodbye'),
  },
  kinds: (traits) => [
    { kind: 'tracking', count: 12, write: healthy.tracking },
    { kind: 'tracking with link', count: 4, write: healthy.trackingWithLink },
    { kind: 'other day', count: 5, write: healthy.otherDay },
    { kind: 'pickup', count: 5, write: healthy.pickup },
    { kind: 'claim', count: 5, write: healthy.claim },
    { kind: 'handed over', count: 4, write: healthy.handedOver },
    traits.has('dates as dates')
      ? { kind: 'day understood', count: 8, write: healthy.otherDay }
      : { kind: 'day not understood', count: 8, write: fault.dayNotUnderstood },
    traits.has('notes kept')
      ? { kind: 'note kept', count: 5, write: healthy.noteKept }
      : { kind: 'note without tool', count: 5, write: fault.noteWithoutTool },
    traits.has('waits for goodbye')
      ? { kind: 'asks more', count: 5, write: healthy.tracking }
      : { kind: 'cut off', count: 5, write: fault.cutOff },
  ],
};
