import type { TryResult } from '../../src/domain/delivery/outcome.ts';
import type { Json, JsonObject } from '../../src/domain/json.ts';
import type { ChannelAddress } from '../../src/domain/messages/address.ts';
import { opsgenieAlert, type Page, pagerDutyEvent, readPagerAnswer } from '../../src/domain/messages/page.ts';
import { readApiAnswer, readHookAnswer, type SlackAnswer } from '../../src/domain/messages/slack-answer.ts';
import { parseRetryAfter } from '../../src/domain/retry-after.ts';
import type { ActivityDeps } from '../deps.ts';
import type { MessageToSend } from './message.ts';
import { MAX_BYTES, orOutboundError, TIMEOUT_MS } from './post-signed.ts';

const MAIL_IS_OFF: TryResult = {
  status: null,
  error: 'E-mail is off: EARSHOT_SMTP_URL and EARSHOT_MAIL_FROM are not set.',
  isOurs: true,
};

/** Sends a message the way of its address, and says what came of it. */
export async function sendMessage(
  deps: ActivityDeps,
  address: ChannelAddress,
  sent: MessageToSend,
): Promise<TryResult> {
  switch (address.by) {
    case 'email':
      return mail(deps, address.to, sent);
    case 'incoming_webhook':
      return orOutboundError(async () => readHookAnswer(await post(deps, address.url, {}, hookBody(sent), sent)));
    case 'bot':
      return orOutboundError(async () => {
        const authorization = { authorization: `Bearer ${address.token}` };
        const url = `${address.apiUrl}/chat.postMessage`;
        return readApiAnswer(await post(deps, url, authorization, botBody(address.conversation, sent), sent));
      });
    case 'pagerduty':
      return page(sent, (told, action) => {
        const event = pagerDutyEvent(address.routingKey, told, sent.message, action);
        return post(deps, `${address.apiUrl}/v2/enqueue`, {}, event, sent);
      });
    case 'opsgenie':
      return page(sent, (told, action) => {
        const { path, body } = opsgenieAlert(told, sent.message, action);
        return post(deps, `${address.apiUrl}${path}`, { authorization: `GenieKey ${address.apiKey}` }, body, sent);
      });
    default:
      return address satisfies never;
  }
}

/** Opens or closes a problem; a test does both, so that nobody is called for long. */
async function page(
  sent: MessageToSend,
  send: (page: Page, action: 'trigger' | 'resolve') => Promise<SlackAnswer>,
): Promise<TryResult> {
  const told = sent.page;
  if (!told) throw new Error('A service that calls people is told of one problem at a time.');
  return orOutboundError(async () => {
    const first = readPagerAnswer(await send(told, told.action === 'resolve' ? 'resolve' : 'trigger'));
    return told.action !== 'test' || 'refused' in first ? first : readPagerAnswer(await send(told, 'resolve'));
  });
}

async function mail({ mailer }: ActivityDeps, to: string, { id, root, message }: MessageToSend): Promise<TryResult> {
  if (mailer === null) return MAIL_IS_OFF;
  const { subject, text, html } = message;
  return mailer.send({ to, subject, text, html, id, beneath: root?.deliveryId ?? null });
}

const hookBody = ({ message: { slack } }: MessageToSend): JsonObject => ({
  text: slack.text,
  blocks: slack.blocks,
  unfurl_links: false,
});

function botBody(conversation: string, { message: { slack }, id, root, isLoud }: MessageToSend): JsonObject {
  const beneath: JsonObject = root?.ref == null ? {} : { thread_ts: root.ref, reply_broadcast: isLoud };
  return {
    channel: conversation,
    text: slack.text,
    blocks: slack.blocks,
    mrkdwn: false,
    unfurl_links: false,
    client_msg_id: id,
    ...beneath,
  };
}

async function post(
  { receivers }: ActivityDeps,
  url: string,
  headers: Record<string, string>,
  json: Json,
  { nowMs }: MessageToSend,
): Promise<SlackAnswer> {
  const answer = await receivers.request({
    url,
    method: 'POST' as const,
    headers,
    json,
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
    longer: 'cut',
  });
  const retryAfterMs = parseRetryAfter(answer.headers['retry-after'], nowMs);
  return { status: answer.status, text: answer.text, json: answer.json, retryAfterMs };
}
