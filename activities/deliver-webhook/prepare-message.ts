import { type ChannelToTell, keepBody, loadChannelToTell, takeNotices } from '../../src/db/channels/load-message.ts';
import { findRoot } from '../../src/db/channels/threads.ts';
import type { EntityManager } from '../../src/db/database.ts';
import { channelAddressPlace } from '../../src/db/secrets/sealed-places.ts';
import { findCause } from '../../src/db/system/message-cause.ts';
import { type DeliveryToTry, endUntried } from '../../src/db/webhooks/delivery-tries.ts';
import { END_REASONS } from '../../src/domain/delivery/messages.ts';
import type { ChannelAddress } from '../../src/domain/messages/address.ts';
import { composeAgreement, composeMessage, type KeptMessage } from '../../src/domain/messages/compose.ts';
import { isPager, pageOf } from '../../src/domain/messages/page.ts';
import type { ChannelKind } from '../../src/domain/vocabulary.ts';
import { agreementSecret, hasAgreed } from '../../src/services/messages/agreement.ts';
import { isMailed } from '../../src/services/messages/is-mailed.ts';
import type { ActivityDeps } from '../deps.ts';
import type { DeliverOnceRequest, Prepared } from './message.ts';
import { sendMessage } from './send-message.ts';

const ROOT_WAIT_FIRST_MS = 1_000;

const ROOT_WAIT_LONGEST_MS = 600_000;

/** Composes a message at its first try, from what is to be told then, and finds out where it goes. */
export async function prepareMessage(
  deps: ActivityDeps,
  request: DeliverOnceRequest,
  delivery: DeliveryToTry & { kind: ChannelKind },
): Promise<Prepared> {
  const em = deps.database.within(request.workspaceId);
  const channel = await loadChannelToTell(em, delivery.webhookId);
  const address = openAddress(deps, request.workspaceId, channel);
  if (address === null) return ended(em, request, 'failed', END_REASONS.notMember);
  if (address.by === 'email' && !(await isMailed(em, deps.mailDomains, request.workspaceId, address.to))) {
    return ended(em, request, 'failed', END_REASONS.noMailThere);
  }
  if (address.by === 'email' && !(await hasAgreed(em, deps.vault, channel, address.to))) {
    if (delivery.event !== 'test') return ended(em, request, 'dropped', END_REASONS.notAgreed);
    const cause = await findCause(em, {
      workspaceId: channel.workspaceId,
      personId: channel.createdBy,
      isOwn: channel.isOwn,
    });
    const message = composeAgreement(agreementLink(deps, channel, address.to), cause);
    const sent = { message, threads: [], isLoud: false, id: delivery.id, root: null, nowMs: delivery.nowMs };
    return { send: () => sendMessage(deps, address, sent) };
  }
  const kept = await composeOnce(deps, em, delivery, channel);
  if (kept === null) return ended(em, request, 'dropped', END_REASONS.nothing);
  const root = await findRoot(em, channel.id, delivery.id, kept.threads);
  if (address.by === 'bot' && root?.isPending) return waitsForRoot(request.held);
  return { send: () => sendMessage(deps, address, { ...kept, id: delivery.id, root, nowMs: delivery.nowMs }) };
}

const agreementLink = ({ publicUrl, vault }: ActivityDeps, channel: ChannelToTell, address: string) =>
  `${publicUrl}/agree#${agreementSecret(vault, channel, address)}`;

const waitsForRoot = (held: number): Prepared => ({
  state: 'held',
  waitMs: Math.round(Math.min(ROOT_WAIT_FIRST_MS * 1.5 ** held, ROOT_WAIT_LONGEST_MS)),
  words: 'Waits for the first message on the same problem, beneath which it goes.',
});

async function ended(
  em: EntityManager,
  request: DeliverOnceRequest,
  state: 'failed' | 'dropped',
  reason: string,
): Promise<Prepared> {
  return { state: 'ended', words: (await endUntried(em, request, state, reason)).ended };
}

/** Null where the person to whom it goes does not belong to the workspace any more. */
function openAddress(
  { vault }: ActivityDeps,
  workspaceId: string,
  { id, target }: ChannelToTell,
): ChannelAddress | null {
  if ('gone' in target) return null;
  if ('email' in target) return { by: 'email', to: target.email };
  return JSON.parse(vault.open(target.sealedAddress, channelAddressPlace(workspaceId, id)));
}

async function composeOnce(
  { publicUrl }: ActivityDeps,
  em: EntityManager,
  { id, webhookId: channelId, event, body, kind }: DeliveryToTry & { kind: ChannelKind },
  { workspaceId, createdBy, isOwn }: ChannelToTell,
): Promise<KeptMessage | null> {
  if (body !== null) return JSON.parse(body);
  const cause = await findCause(em, { workspaceId, personId: createdBy, isOwn });
  return em.transactional(async (tx) => {
    const notices = await takeNotices(tx, { channelId, deliveryId: id, isDigest: event === 'digest' });
    if (notices.length === 0) return null;
    const [first] = notices;
    const made: KeptMessage = {
      message: composeMessage(notices, publicUrl, cause),
      threads: notices.map(({ thread }) => thread),
      isLoud: notices.some((notice) => notice.event === 'issue.regressed'),
      page: first && isPager(kind) ? pageOf(first, publicUrl) : null,
    };
    return JSON.parse(await keepBody(tx, id, JSON.stringify(made)));
  });
}
