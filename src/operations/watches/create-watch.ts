import { newWatch, type WatchReadingResource, watch, watchReading, watchWords } from '../../contract/watch.ts';
import { publishEvent } from '../../db/events/events.ts';
import { insertWatch } from '../../db/watches/watches.ts';
import { formInWords } from '../../domain/watches/in-words.ts';
import type { WatchForm } from '../../domain/watches/watch.ts';
import { authorOf } from '../author-of.ts';
import { defineOperation } from '../operation.ts';
import { presentExpectation, presentNow, presentScope } from './present.ts';
import { type ReadForm, readForm, refuseUnusable } from './read-form.ts';

export const createWatch = defineOperation({
  id: 'createWatch',
  surface: 'app',
  method: 'POST',
  path: '/app/agents/{agentId}/watches',
  scope: 'person',
  tag: 'Watches',
  summary: 'Write a watch',
  description:
    'In words, which rules put into a form that code decides; what they find no form for is `judged` and needs a model. Words that hold more than the form are refused with the form that is nearest, unless a model is there to judge them whole. It is a draft until it is backtested. An expectation that could never hold, would always hold or would never apply is refused.',
  body: newWatch,
  response: watch,
  async run(context, { body }) {
    const { em, agent } = context;
    const read = await readForm(context, body, null);
    refuseUnusable(read);
    const { workspaceId, id: agentId } = agent;
    const { name, lane, alarm = null } = body;
    const createdBy = authorOf(context.caller());
    const watchId = await insertWatch(em, {
      ...read,
      workspaceId,
      agentId,
      name,
      lane,
      alarm,
      origin: 'person',
      createdBy,
    });
    await publishEvent(em, { agentId, kind: 'watch.changed', ref: watchId });
    return presentNow(context, watchId);
  },
});

export const readWatchWords = defineOperation({
  id: 'readWatchWords',
  surface: 'app',
  method: 'POST',
  path: '/app/agents/{agentId}/watches/read',
  scope: 'person',
  audits: false,
  tag: 'Watches',
  summary: 'See what rules make of the words of a watch',
  description:
    'Stores nothing: it says which form code would decide, in words too, which words could not be put into code, the nearest form without them, and what is wrong.',
  body: watchWords,
  response: watchReading,
  transaction: false,
  async run(context, { body }): Promise<WatchReadingResource> {
    const read = await readForm(context, body, null);
    const { form, unread, problem, nearest } = read;
    return {
      object: 'watch_reading',
      ...shown(read, form),
      needsModel: form.expectation.kind === 'judged',
      unread,
      nearest: nearest && shown(read, nearest),
      problem,
    };
  },
});

function shown({ scopeText, expectationText }: ReadForm, form: WatchForm) {
  const { scope, expectation, polarity } = form;
  return {
    scope: { text: scopeText, code: presentScope(scope) },
    expectation: { text: expectationText, polarity, code: presentExpectation(expectation) },
    inWords: formInWords(form),
  };
}
