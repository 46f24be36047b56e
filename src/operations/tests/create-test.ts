import type { z } from 'zod';
import { newTest, type TestResource, test } from '../../contract/test.ts';
import { findTest, insertTest, type NewTest } from '../../db/tests/tests.ts';
import { authorOf } from '../author-of.ts';
import type { Context } from '../operation.ts';
import { defineOperation } from '../operation.ts';
import { scopeOf } from '../scope-of.ts';
import { refuseUndecidable } from './check-spec.ts';
import { presentTest } from './present.ts';
import { callNotFound, holdCall, specOfCall } from './spec-of-call.ts';

export const createTest = defineOperation({
  id: 'createTest',
  surface: 'v1',
  method: 'POST',
  path: '/v1/agents/{agentId}/tests',
  scope: 'write',
  tag: 'Tests',
  summary: 'Create a test',
  description:
    'From a spec with a title, or from a production call in one step: its caller, what its tools answered, and what the agent must do on it. A new test does not decide about runs before a calibration found it stable.',
  whenToUse:
    'Call it with sourceCallId to keep a call that went wrong (or right) as a test, or with title and spec for one you wrote. Try a spec with validate_test_spec first.',
  body: newTest,
  response: test,
  status: 201,
  prepare: madeOf,
  async run(context, { body }, made): Promise<TestResource> {
    const { em, agent } = context;
    const { sourceCallId } = made;
    if (sourceCallId !== null && !(await holdCall(em, agent, sourceCallId))) throw callNotFound(paramOf(body));
    await refuseUndecidable(em, agent, made.spec);
    const id = await insertTest(em, {
      ...made,
      workspaceId: agent.workspaceId,
      agentId: agent.id,
      lane: body.lane === undefined ? made.lane : body.lane,
      expect: body.expect ?? 'pass',
      guard: body.guard ?? false,
      generatedFrom: null,
      createdBy: authorOf(context.caller()),
    });
    const row = await findTest(em, scopeOf(agent), id);
    if (!row) throw new Error('A test that was just made is not there.');
    return presentTest(row);
  },
});

type Made = Pick<NewTest, 'title' | 'source' | 'lane' | 'spec' | 'sourceCallId'>;

type Body = z.infer<typeof newTest>;

async function madeOf(context: Context, { body }: { body: Body }): Promise<Made> {
  if (body.spec !== undefined) {
    const { title = '', spec } = body;
    return { title, source: 'written', lane: null, spec, sourceCallId: null };
  }
  const call = await specOfCall(context, { param: paramOf(body), callId: body.sourceCallId ?? body.callId ?? '' });
  return { ...call, title: body.title ?? call.title, source: 'production' };
}

const paramOf = ({ sourceCallId }: Body) => (sourceCallId === undefined ? 'callId' : 'sourceCallId');
