import type { NormalisedCall } from '../../src/domain/calls/call.ts';
import { UnreadableCall } from '../../src/platforms/port.ts';

/** The call, or null where it was refused with a reason; whatever else is thrown goes on. */
export function readOrRefuse(read: () => NormalisedCall): NormalisedCall | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof UnreadableCall && error.message.length > 10) return null;
    throw error;
  }
}
