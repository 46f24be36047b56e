import { type CopilotEventView, readAnswerEvents, settleDeadAnswer } from '../../db/copilot/answers.ts';
import { findMessage, newestAnswer } from '../../db/copilot/conversations.ts';
import { mayWatch } from '../../db/system/sessions.ts';
import { Failure } from '../failure.ts';
import type { PersonPrincipal } from '../principal.ts';
import type { Services } from '../services.ts';
import { presentMessage } from './conversation.ts';

const HEARTBEAT_MS = 15_000;
const PAGE = 200;
const NUMBER = /^(0|[1-9]\d{0,14})$/;

/** @throws Failure for what is no id of an event. */
export function readLastEventId(lastEventId: string | null): number | null {
  if (lastEventId === null) return null;
  if (NUMBER.test(lastEventId)) return Number(lastEventId);
  throw new Failure('invalid_parameter', 'Last-Event-ID is not the id of an event of this stream.', {
    param: 'Last-Event-ID',
  });
}

/**
 * Events of a conversation after a number, until its newest answer has ended. What was told is in the record, so that it
 * does not matter which process makes the answer, nor whether anybody listened.
 */
export async function* followAnswer(
  services: Services,
  person: PersonPrincipal,
  { conversationId, messageId, after }: { conversationId: string; messageId: string; after: number },
): AsyncGenerator<string> {
  const within = () => services.database.within(person.workspaceId);
  const subscription = services.answers.told.subscribe(conversationId, person.personId);
  let last = after;
  let checkedMs = performance.now();
  try {
    while (!subscription.ended()) {
      const events = await readAnswerEvents(within(), conversationId, last, PAGE);
      for (const event of events) {
        last = event.id;
        yield await frame(services, person, messageId, event);
        if (event.kind === 'error' || event.kind === 'done') return;
      }
      if (events.length > 0) continue;
      const message = await findMessage(within(), messageId);
      // Its events are no longer kept, or the reader has had them all.
      if (message?.state !== 'answering') {
        yield* await lastWords(services, person, { conversationId, messageId, last });
        return;
      }
      const untilCheckMs = checkedMs + HEARTBEAT_MS - performance.now();
      if (untilCheckMs <= 0) {
        if (!(await mayWatch(within(), person))) return;
        await settleDeadAnswer(within(), person);
        checkedMs = performance.now();
        yield ': still here\n\n';
        continue;
      }
      await subscription.next(untilCheckMs);
    }
  } finally {
    subscription.end();
  }
}

/** What came between the last look at the events and the end, or the end alone. */
async function lastWords(
  services: Services,
  person: PersonPrincipal,
  { conversationId, messageId, last }: { conversationId: string; messageId: string; last: number },
): Promise<string[]> {
  const em = services.database.within(person.workspaceId);
  const events = await readAnswerEvents(em, conversationId, last, PAGE);
  const left = events.length > 0 ? events : [{ id: last, kind: 'done' as const, data: {} }];
  return Promise.all(left.map((event) => frame(services, person, messageId, event)));
}

/** The last event of an answer carries the whole message. */
async function frame(
  services: Services,
  person: PersonPrincipal,
  messageId: string,
  { id, kind, data }: CopilotEventView,
): Promise<string> {
  const isEnd = kind === 'done' || kind === 'error';
  const message = isEnd ? await findMessage(services.database.within(person.workspaceId), messageId) : null;
  const told = message ? { message: presentMessage(message) } : data;
  return `id: ${id}\nevent: ${kind}\ndata: ${JSON.stringify({ object: 'copilot_event', kind, ...told })}\n\n`;
}

/** The newest answer of a conversation. @throws Failure where nothing was asked yet. */
export async function requireAnswer(services: Services, person: PersonPrincipal, conversationId: string) {
  const answer = await newestAnswer(services.database.within(person.workspaceId), conversationId);
  if (!answer) throw new Failure('conversation_not_found', 'Nothing was asked in this conversation yet.');
  return answer;
}
