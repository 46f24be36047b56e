import { newCalibration, run } from '../../contract/run.ts';
import { defineOperation } from '../operation.ts';
import { chooseTests } from './choose-tests.ts';
import { openRun } from './open-run.ts';
import { askedBy, presentMade } from './start-run.ts';

export const calibrateTests = defineOperation({
  id: 'calibrateTests',
  surface: 'v1',
  method: 'POST',
  path: '/v1/agents/{agentId}/tests/calibrate',
  scope: 'person',
  tag: 'Tests',
  summary: 'Find out which tests are stable enough to gate',
  description:
    "Plays each test three times by its own caller. Only a test whose three attempts agree gates from then on; the reason stands in its `gateReason`. Draws one simulated test call a test from the plan, and three calls' worth from the agent's test budget.",
  body: newCalibration,
  refuses: ['quota_exceeded', 'budget_exceeded', 'testing_not_configured', 'test_not_found', 'test_set_not_found'],
  status: 201,
  response: run,
  async run(context, { body }) {
    const { em, agent, services } = context;
    const { tests, testSetId } = await chooseTests(em, agent, body);
    const asked = {
      agent,
      kind: 'calibration',
      tests,
      testSetId,
      personas: null,
      version: body.version ?? null,
      repeats: null,
      hasToolAddress: services.isNamed,
      ...askedBy(context),
    } as const;
    return presentMade(context, await openRun(em, asked, services.models));
  },
});
