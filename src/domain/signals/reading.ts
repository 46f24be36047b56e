import type { NormalisedCall } from '../calls/call.ts';

/** The one pass over a call's turns that all detectors share; `readCall` makes it. Fields are added as detectors need them. */
export interface CallReading {
  call: NormalisedCall;
}
