import type { Schemas } from '../../client/api.ts';

type Message = Schemas['ChannelMessage'];

/** What came of trying a channel. */
export function TestNote({ of: message }: { of: Message | undefined }) {
  if (!message) return null;
  const { state, lastError } = message;
  if (state === 'delivered') {
    return (
      <p role="status" className="text-sm text-good">
        ✓ It got through.
      </p>
    );
  }
  return (
    <p role="status" className="text-sm text-bad">
      {state === 'pending'
        ? 'It is not sent yet: the log shows what becomes of it.'
        : `It did not get through. ${lastError ?? ''}`}
    </p>
  );
}
