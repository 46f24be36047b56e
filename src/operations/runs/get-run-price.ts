import { type RunPriceResource, runPriceDocument } from '../../contract/run-price.ts';
import { loadTestsForRun } from '../../db/tests/tests.ts';
import { OWN_CALLER } from '../../domain/runs/attempt.ts';
import { REPEATS } from '../../domain/runs/combine.ts';
import { Failure } from '../failure.ts';
import { defineOperation } from '../operation.ts';
import { booleanParam, idParam } from '../params.ts';
import { presentPrice, priceRun } from './price-run.ts';

export const getRunPrice = defineOperation({
  id: 'getRunPrice',
  surface: 'app',
  method: 'GET',
  path: '/app/agents/{agentId}/run-price',
  scope: 'person',
  tag: 'Runs',
  summary: 'Read what a run may cost before it is started',
  description:
    'Of all tests of the agent, or of one: how many cells are played, what they may cost at most, what the budget for tests has left this month, and how many of the cells that covers.',
  query: {
    testId: idParam('The one test; all of the agent without it.'),
    repeats: booleanParam('Whether each is played three times, as a calibration does.'),
  },
  refuses: ['test_not_found'],
  response: runPriceDocument,
  async run({ em, agent, services }, { query }): Promise<RunPriceResource> {
    const selection = query.testId === null ? ({ all: true } as const) : { testIds: [query.testId] };
    const { tests, missing } = await loadTestsForRun(em, agent.id, selection);
    if (missing.length > 0) {
      throw new Failure('test_not_found', 'There is no test with this id here that can be played.', {
        param: 'testId',
      });
    }
    const cells = tests.map(({ spec }) => ({ spec, persona: OWN_CALLER }));
    const asked = { cells, repeats: query.repeats ? REPEATS : null };
    return presentPrice(await priceRun({ em, agent }, asked, services.models), tests.length);
  },
});
