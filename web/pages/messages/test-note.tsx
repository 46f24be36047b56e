import { api, type Schemas } from '../../client/api.ts';

type Message = Schemas['ChannelMessage'];

const LOOK_AGAIN_MS = 2_000;

/** What came of trying a channel. Where the server could not wait any longer, its log is looked at until it is known. */
export function TestNote({ of: message }: { of: Message | undefined }) {
  return message ? <Note key={message.id} tried={message} /> : null;
}

function Note({ tried }: { tried: Message }) {
  const params = { path: { channelId: tried.channelId, messageId: tried.id } };
  const logged = api.useQuery(
    'get',
    '/app/channels/{channelId}/messages/{messageId}',
    { params },
    {
      enabled: tried.state === 'pending',
      refetchInterval: ({ state }) => (state.data && state.data.state !== 'pending' ? false : LOOK_AGAIN_MS),
    },
  );
  const message = logged.data ?? tried;
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
