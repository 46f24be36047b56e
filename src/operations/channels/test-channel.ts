import { setTimeout as sleep } from 'node:timers/promises';
import { type ChannelMessageResource, channelMessage } from '../../contract/channel.ts';
import { type ChannelView, enqueueTest } from '../../db/channels/channels.ts';
import { findMessage } from '../../db/channels/message-log.ts';
import type { EntityManager } from '../../db/database.ts';
import { findCause } from '../../db/system/message-cause.ts';
import { composeTest, type KeptMessage } from '../../domain/messages/compose.ts';
import { isPager, testPage } from '../../domain/messages/page.ts';
import { Failure } from '../failure.ts';
import { type Context, defineOperation } from '../operation.ts';
import { channelParent, checkAvailable, presentMessage } from './channel.ts';

const LOOK_AGAIN_MS = 200;
/** Longer than one try takes at most. */
const LOOKS = 150;

export const testChannel = defineOperation({
  id: 'testChannel',
  surface: 'app',
  method: 'POST',
  path: '/app/channels/{channelId}/test',
  scope: 'person',
  role: 'admin',
  tag: 'Channels',
  summary: 'Send one message now',
  description:
    'At most five an hour to an address, one after the other. Where whoever reads the address has not agreed to messages yet, it is the link by which they do. Tried once, at once; the answer says what the server said. `pending` after half a minute means that no worker has come to it yet: its place in the log shows what becomes of it.',
  parents: [channelParent],
  response: channelMessage,
  transaction: false,
  refuses: ['delivery_refused'],
  run: (context) => sendTest(context, context.parent(channelParent)),
});

/**
 * Has one message sent: where the owner of an address has not agreed to messages, the one that asks them.
 * @param to where mail goes; a channel of another kind is known by its id
 * @returns null where one waits, or enough were sent there.
 */
export async function enqueueTry(
  { services, person }: Context,
  tx: EntityManager,
  channel: ChannelView,
  to: string,
): Promise<string | null> {
  const cause = await findCause(tx, { ...person(), isOwn: channel.personId !== null });
  const message = composeTest(channel.name, services.publicUrl, cause);
  const page = isPager(channel.kind) ? testPage(channel.id, services.publicUrl) : null;
  const kept: KeptMessage = { message, threads: [], isLoud: false, page };
  const where = channel.kind === 'email' ? to.toLowerCase() : channel.id;
  return enqueueTest(tx, channel, services.vault.keyedHash('tried address', where), JSON.stringify(kept));
}

/** Has a worker send it, as every message, and waits for what comes of it. */
export async function sendTest(
  context: Context,
  channel: ChannelView,
  to = channel.shownAddress,
): Promise<ChannelMessageResource> {
  const { em, services, audited } = context;
  checkAvailable(services, channel.kind);
  if (!channel.enabled) throw new Failure('delivery_refused', 'The channel is switched off. Enable it first.');
  const id = await em.transactional(async (tx) => {
    const made = await enqueueTry(context, tx, channel, to);
    if (made !== null) await audited(tx, { id: made });
    return made;
  });
  if (id === null) {
    const message = 'An address takes five tests an hour, one after the other. Try again later.';
    throw new Failure('rate_limited', message, { retryAfterSeconds: 60 });
  }
  for (let look = 0; ; look += 1) {
    const message = await findMessage(em, id);
    if (message === null) throw new Failure('channel_not_found', 'This channel was deleted just now.');
    if (message.state !== 'pending' || look === LOOKS) return presentMessage(message);
    await sleep(LOOK_AGAIN_MS);
  }
}
