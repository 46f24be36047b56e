import { watch, watchChange } from '../../contract/watch.ts';
import { canonicalJson } from '../../db/convert.ts';
import { publishEvent } from '../../db/events/events.ts';
import {
  formOf,
  lockWatch,
  openRevision,
  renameWatch,
  setWatchState,
  type WatchView,
} from '../../db/watches/watches.ts';
import { Failure } from '../failure.ts';
import { type Context, defineOperation } from '../operation.ts';
import { refuseOtherRevision } from '../refuse-other-revision.ts';
import { orderBacktest } from './backtest-watch.ts';
import { watchParent } from './parent.ts';
import { presentNow } from './present.ts';
import { type ReadForm, readForm, refuseUnusable } from './read-form.ts';

export const changeWatch = defineOperation({
  id: 'changeWatch',
  surface: 'app',
  method: 'PATCH',
  path: '/app/agents/{agentId}/watches/{watchId}',
  scope: 'person',
  tag: 'Watches',
  summary: 'Edit a watch',
  description:
    'What it looks at and expects makes the next revision: samples, labels and verdicts of the previous one no longer count, and it is backtested anew; a draft stays a draft, and a rejected watch becomes one. Name, lane and alarm alone change nothing else.',
  parents: [watchParent],
  body: watchChange,
  refuses: ['revision_conflict'],
  response: watch,
  async run(context, { body }) {
    const { em, agent } = context;
    const before = context.parent(watchParent);
    const { revision: given, name = before.name, lane = before.lane, alarm = before.alarm, ...words } = body;
    if (Object.keys(body).every((field) => field === 'revision')) {
      throw new Failure('invalid_body', 'Name something to change.');
    }
    const read = await readForm(context, words, before);
    const standing = await lockWatch(em, agent.id, before.id);
    refuseOtherRevision('watch', given, standing?.revision ?? before.revision);
    if (words.scope || words.expectation) await rewrite(context, { ...before, ...standing }, read);
    await renameWatch(em, before.id, { name, lane, alarm });
    await publishEvent(em, { agentId: agent.id, kind: 'watch.changed', ref: before.id });
    return presentNow(context, before.id);
  },
});

async function rewrite(context: Context, before: WatchView, read: ReadForm): Promise<void> {
  refuseUnusable(read);
  const isSame =
    canonicalJson(read.form) === canonicalJson(formOf(before)) &&
    read.scopeText === before.scopeText &&
    read.expectationText === before.expectationText;
  if (isSame) return;
  const revision = await openRevision(context.em, before.id, read);
  const isDraft = before.state === 'draft' || before.state === 'rejected' || read.form.expectation.kind === 'judged';
  if (isDraft) return setWatchState(context.em, before.id, 'draft');
  await orderBacktest(context, before.id, revision);
}
