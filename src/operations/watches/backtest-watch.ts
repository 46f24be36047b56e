import { watch } from '../../contract/watch.ts';
import { publishEvent } from '../../db/events/events.ts';
import { endBacktest, findBacktest, insertBacktest, moveBacktest } from '../../db/watches/backtests.ts';
import { lockWatch, openRevision, setWatchState } from '../../db/watches/watches.ts';
import { NOT_EVALUATED } from '../../domain/watches/go-live-bar.ts';
import { readerModelOf } from '../../services/models/reader-model.ts';
import { addToOutbox } from '../../services/outbox/add-to-outbox.ts';
import { backtestChangedEntry, backtestEntry } from '../../temporal/backtest-watch.ts';
import { authorOf } from '../author-of.ts';
import { Failure } from '../failure.ts';
import { type Context, defineOperation, type Operation } from '../operation.ts';
import { watchParent } from './parent.ts';
import { presentNow } from './present.ts';

export const backtestWatch = defineOperation({
  id: 'backtestWatch',
  surface: 'app',
  method: 'POST',
  path: '/app/agents/{agentId}/watches/{watchId}/backtest',
  scope: 'person',
  tag: 'Watches',
  summary: 'Backtest a watch',
  description:
    'Holds it against the last 1,000 calls in its scope and draws samples for people to label. A revision is backtested once: another backtest opens the next revision, whose samples are labelled anew. A live watch has to be paused first. What only a model can judge is judged by it on up to 100 calls, where a judge model or the workspace’s own model is configured.',
  parents: [watchParent],
  refuses: ['watch_state_refused'],
  response: watch,
  async run(context) {
    const { em, agent, services } = context;
    const { id: watchId, expectationCode } = context.parent(watchParent);
    const isJudged = expectationCode.kind === 'judged';
    if (isJudged && !(await readerModelOf(em, services, agent.workspaceId))) {
      throw new Failure('watch_state_refused', NOT_EVALUATED);
    }
    const standing = await lockWatch(em, agent.id, watchId);
    if (!standing || standing.state === 'backtesting' || standing.state === 'live') {
      const message =
        standing?.state === 'live' ? 'It is live. Pause it first.' : 'Its backtest is under way. Cancel it first.';
      throw new Failure('watch_state_refused', message);
    }
    const key = { agentId: agent.id, watchId, revision: standing.revision };
    const revision = (await findBacktest(em, key)) ? await openRevision(em, watchId, null) : standing.revision;
    await orderBacktest(context, watchId, revision);
    return presentNow(context, watchId);
  },
});

/** Begins the backtest of a revision, beside the row that says so. */
export async function orderBacktest(context: Context, watchId: string, revision: number): Promise<void> {
  const { em, agent } = context;
  const { workspaceId, id: agentId, name: agentName } = agent;
  await insertBacktest(em, { workspaceId, agentId, watchId, revision, createdBy: authorOf(context.caller()) });
  await setWatchState(em, watchId, 'backtesting');
  const entry = backtestEntry({ workspaceId, agentId, watchId, revision, agentName });
  await addToOutbox(em, { entry, workspaceId, agentId });
  await publishEvent(em, { agentId, kind: 'watch.backtest', ref: watchId });
}

interface Message {
  id: string;
  path: string;
  summary: string;
  description: string;
  move(context: Context, key: { agentId: string; watchId: string; revision: number }): Promise<boolean>;
}

/** Told through the record, which the workflow reads; the signal only wakes it. */
const messageOperation = ({ id, path, summary, description, move }: Message): Operation =>
  defineOperation({
    id,
    surface: 'app',
    method: 'POST',
    path: `/app/agents/{agentId}/watches/{watchId}/backtest/${path}`,
    scope: 'person',
    tag: 'Watches',
    summary,
    description,
    parents: [watchParent],
    refuses: ['watch_state_refused'],
    response: watch,
    async run(context) {
      const { em, agent } = context;
      const { id: watchId, revision } = context.parent(watchParent);
      if (!(await move(context, { agentId: agent.id, watchId, revision }))) {
        throw new Failure('watch_state_refused', 'No backtest of this revision is under way that this could be told.');
      }
      const entry = backtestChangedEntry({ watchId, revision });
      await addToOutbox(em, { entry, workspaceId: agent.workspaceId, agentId: agent.id });
      await publishEvent(em, { agentId: agent.id, kind: 'watch.backtest', ref: watchId });
      return presentNow(context, watchId);
    },
  });

export const pauseBacktest = messageOperation({
  id: 'pauseBacktest',
  path: 'pause',
  summary: 'Pause a backtest',
  description: 'It stops after the calls that it is on, until it is told to go on.',
  move: ({ em }, key) => moveBacktest(em, key, ['queued', 'running'], 'paused'),
});

export const resumeBacktest = messageOperation({
  id: 'resumeBacktest',
  path: 'go-on',
  summary: 'Let a paused backtest go on',
  description: 'It takes up where it stopped.',
  move: ({ em }, key) => moveBacktest(em, key, ['paused'], 'queued'),
});

export const cancelBacktest = messageOperation({
  id: 'cancelBacktest',
  path: 'cancel',
  summary: 'Cancel a backtest',
  description: 'The watch is a draft again, without samples.',
  move: ({ em }, key) => endBacktest(em, key, 'cancelled', null),
});
