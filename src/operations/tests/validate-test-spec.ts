import { specToValidate, type Validation, validation } from '../../contract/test.ts';
import { testSpecInput } from '../../contract/test-spec.ts';
import { problemsOfShape } from '../input.ts';
import { defineOperation } from '../operation.ts';
import { findProblems } from './check-spec.ts';

export const validateTestSpec = defineOperation({
  id: 'validateTestSpec',
  surface: 'v1',
  method: 'POST',
  path: '/v1/agents/{agentId}/tests/validate',
  scope: 'read',
  tag: 'Tests',
  summary: 'Validate a test spec',
  description:
    'Stores nothing and spends nothing. Says every problem of a spec: fields, tools and steps that the current version lacks, criteria that nothing could decide. A spec with remarks alone is valid.',
  whenToUse: 'Call it before create_test or replace_test_spec, as often as you like.',
  transaction: false,
  body: specToValidate,
  response: validation,
  async run({ em, agent }, { body }): Promise<Validation> {
    const parsed = testSpecInput.safeParse(body.spec);
    if (!parsed.success) return { object: 'validation', valid: false, problems: problemsOfShape(parsed.error, 'spec') };
    const problems = await findProblems(em, agent, parsed.data);
    return {
      object: 'validation',
      valid: problems.every(({ weight }) => weight === 'note'),
      problems: problems.map(({ param, message }) => ({ param, message })),
    };
  },
});
