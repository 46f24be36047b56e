import { eventBounds, readEvents, type WorkspaceEvent } from '../../db/events/events.ts';
import { mayWatch } from '../../db/system/sessions.ts';
import { Failure } from '../failure.ts';
import { defineStream } from '../operation.ts';
import type { PersonPrincipal } from '../principal.ts';
import type { Services } from '../services.ts';

const HEARTBEAT_MS = 15_000;
/** A page is read only when the one before has been taken, so a slow reader holds up nothing but itself. */
const PAGE = 100;
const NUMBER = /^(0|[1-9]\d{0,17})$/;

export const watchEvents = defineStream({
  id: 'watchEvents',
  surface: 'app',
  method: 'GET',
  path: '/app/events',
  scope: 'person',
  tag: 'Events',
  summary: 'Watch what changes in the workspace',
  description:
    'Server-sent events: `import.progress`, `import.finished` (`ref` is the import), `issues.changed` (also where calls were erased), and of one issue (`ref`) `issue.opened`, `issue.changed`, `issue.resolved`, `issue.regressed` and `issue.spiked`, `version.new` where another configuration went live or the live one changed, of one watch (`ref`) `watch.changed`, `watch.backtest` while it is backtested and `watch.failing`, of one alarm (`ref`) `alarm.changed`, of one goal (`ref`) `goal.changed`, and of one draft (`ref`) `draft.changed`, each with its agent, and `webhook.off` (`ref` is the webhook) where an address was switched off because nothing got through. `ready` comes first and names the newest event; `reset` comes instead where the events after `Last-Event-ID` are no longer kept (a day): read anew what you show. A comment comes every 15 seconds. The stream ends when the session does.',
  streamType: 'text/event-stream',
  async run(context) {
    const { lastEventId, services } = context;
    if (lastEventId !== null && !NUMBER.test(lastEventId)) {
      throw new Failure('invalid_parameter', 'Last-Event-ID is not the id of an event of this stream.', {
        param: 'Last-Event-ID',
      });
    }
    return follow(services, context.person(), lastEventId);
  },
});

async function* follow(
  services: Services,
  person: PersonPrincipal,
  lastEventId: string | null,
): AsyncGenerator<string> {
  const { workspaceId } = person;
  const subscription = services.events.subscribe(workspaceId, person.personId);
  try {
    const { oldest, newest } = await eventBounds(services.database.within(workspaceId), workspaceId);
    const last = BigInt(lastEventId ?? newest);
    // Numbers have no gaps, so the one before the oldest is the earliest that nothing is missing after.
    const isKept = last <= BigInt(newest) && last >= BigInt(oldest) - 1n;
    let after = isKept ? String(last) : newest;
    yield frame(isKept ? 'ready' : 'reset', after, { object: 'event', id: after, kind: isKept ? 'ready' : 'reset' });

    let checkedMs = performance.now();
    while (!subscription.ended()) {
      // By the clock: the stream of a busy workspace is never quiet, and would outlive its session.
      const untilCheckMs = checkedMs + HEARTBEAT_MS - performance.now();
      if (untilCheckMs <= 0) {
        if (!(await mayWatch(services.database.within(workspaceId), person))) return;
        checkedMs = performance.now();
        yield ': still here\n\n';
        continue;
      }
      const events = await readEvents(services.database.within(workspaceId), workspaceId, after, PAGE);
      for (const event of events) {
        yield frame(event.kind, event.id, present(event));
        after = event.id;
      }
      if (events.length < PAGE) await subscription.next(untilCheckMs);
    }
  } finally {
    subscription.end();
  }
}

const present = (event: WorkspaceEvent) => ({ object: 'event', ...event });

const frame = (kind: string, id: string, data: object) =>
  `id: ${id}\nevent: ${kind}\ndata: ${JSON.stringify(data)}\n\n`;
