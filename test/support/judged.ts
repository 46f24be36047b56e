import type { JudgeVerdict } from '../../src/domain/runs/judge-answers.ts';
import type { Criterion } from '../../src/domain/tests/spec.ts';
import type { ModelAnswer } from './model-server.ts';
import { agent, caller, played } from './played.ts';

const says: Criterion = {
  id: 'says',
  text: 'Says it is booked.',
  required: true,
  check: { kind: 'said', text: 'booked' },
};
const kind: Criterion = { id: 'kind', text: 'Offers a time.', required: true, check: null };

/** Tests that code decides alone, and that a judge decides too. */
export const byCode = { criteria: [says] };
export const byJudge = { criteria: [says, kind] };

/** A call that meets both criteria, and one that meets none. */
export const booked = played([agent('Hello.'), caller('A table, please.'), agent('At nine? It is booked.')]);
export const refused = played([agent('Hello.'), caller('A table, please.'), agent('We are full.')]);

/** A call on which nobody is handed over, whatever the caller asks. */
export const ignoresPerson = played([
  agent('Hello, how can I help?'),
  caller('I want to speak to a human.'),
  agent('I can help you with that. What day suits you?'),
  caller('No, give me a real person, please.'),
  agent('What day suits you?'),
]);

/** What the judge says of the criterion that code does not decide. */
export const answer = (over: Partial<JudgeVerdict> = {}): ModelAnswer => ({
  value: {
    verdicts: [{ criterion: 'kind', verdict: 'met', turn: 2, quote: 'At nine?', because: 'It offered nine.', ...over }],
  },
});
export const notMet = answer({ verdict: 'not_met', turn: null, quote: null, because: 'It offered none.' });
