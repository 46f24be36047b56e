import { watch } from '../../contract/watch.ts';
import { publishEvent } from '../../db/events/events.ts';
import { endBacktest } from '../../db/watches/backtests.ts';
import { judgedExpectations } from '../../db/watches/live.ts';
import { findWatch, formOf, lockWatch, renameWatch, setWatchState, type WatchView } from '../../db/watches/watches.ts';
import { EXPECTATIONS_AT_MOST } from '../../domain/reading/expected-of-watches.ts';
import type { WatchState } from '../../domain/vocabulary.ts';
import { isAlarm } from '../../domain/watches/go-live-bar.ts';
import { readerModelOf } from '../../services/models/reader-model.ts';
import { Failure } from '../failure.ts';
import { type Context, defineOperation, type Operation } from '../operation.ts';
import { scopeOf } from '../scope-of.ts';
import { watchParent } from './parent.ts';
import { goLiveBlockOf, presentNow } from './present.ts';

interface Decision {
  id: string;
  path: string;
  from: readonly WatchState[];
  to: WatchState;
  summary: string;
  description: string;
  /** Said where it stands elsewhere. */
  refusal: string;
  before?(context: Context, standing: WatchView): Promise<void> | void;
}

const decideOperation = ({ id, path, from, to, summary, description, refusal, before }: Decision): Operation =>
  defineOperation({
    id,
    surface: 'app',
    method: 'POST',
    path: `/app/agents/{agentId}/watches/{watchId}/${path}`,
    scope: 'person',
    tag: 'Watches',
    summary,
    description,
    parents: [watchParent],
    refuses: ['watch_state_refused', ...(to === 'live' ? (['watch_bar_not_met'] as const) : [])],
    response: watch,
    async run(context) {
      const { em, agent } = context;
      const { id: watchId } = context.parent(watchParent);
      await lockWatch(em, agent.id, watchId);
      const standing = await findWatch(em, scopeOf(agent), watchId);
      if (!standing || !from.includes(standing.state)) throw new Failure('watch_state_refused', refusal);
      await before?.(context, standing);
      await setWatchState(em, watchId, to);
      await publishEvent(em, { agentId: agent.id, kind: 'watch.changed', ref: watchId });
      return presentNow(context, watchId);
    },
  });

export const turnOnWatch = decideOperation({
  id: 'turnOnWatch',
  path: 'turn-on',
  from: ['review', 'paused'],
  to: 'live',
  summary: 'Turn a watch on',
  description:
    'From then on each newly analysed call is judged; what only a model can judge, on each call that a model reads. Refused while the bar is not met: ten flagged samples labelled, or all where fewer are flagged, with a precision of at least 0.8; or none flagged in 50 calls in scope, in fewer where it is about what should never be. `goLiveBlock` says what is missing. An alarm that was never seen is given a limit of one call a day, where it has none. Once live, what it flags goes on being drawn for labels.',
  refusal: 'Only a watch in review or a paused one can be turned on.',
  async before({ em, agent, services }, standing) {
    const block = goLiveBlockOf(standing, await readerModelOf(em, services, agent.workspaceId));
    if (block !== null) throw new Failure('watch_bar_not_met', block);
    // What has never been seen rings the first time, unless somebody said when it should.
    if (standing.alarm === null && standing.backtest?.flagged === 0 && isAlarm(formOf(standing))) {
      await renameWatch(em, standing.id, { ...standing, alarm: { days: 1, breaks: 1 } });
    }
    if (standing.expectationCode.kind !== 'judged') return;
    if ((await judgedExpectations(em, agent.id)).length < EXPECTATIONS_AT_MOST) return;
    throw new Failure(
      'watch_bar_not_met',
      `${EXPECTATIONS_AT_MOST} watches that a model judges are live, which is the most that it is asked about each call. Pause one first.`,
    );
  },
});

export const pauseWatch = decideOperation({
  id: 'pauseWatch',
  path: 'pause',
  from: ['live'],
  to: 'paused',
  summary: 'Pause a live watch',
  description: 'New calls are no longer judged; what it said and its labels stay, and it can be turned on again.',
  refusal: 'It is not live.',
});

export const rejectWatch = decideOperation({
  id: 'rejectWatch',
  path: 'reject',
  from: ['draft', 'backtesting', 'review', 'live', 'paused'],
  to: 'rejected',
  summary: 'Reject a watch',
  description: 'From any state. It judges nothing, and is not suggested again; an edit makes it a draft.',
  refusal: 'It is rejected already.',
  async before({ em, agent }, { id: watchId, revision, state }) {
    if (state === 'backtesting') await endBacktest(em, { agentId: agent.id, watchId, revision }, 'cancelled', null);
  },
});
