import type { AskedModel, ModelAnswer } from '../../support/model-server.ts';

/** What a model reads in the records that the customers send; on anything else it says nothing that could be used. */
export function answerOfModel({ material, schema }: AskedModel): ModelAnswer {
  const [quote, wish] = /I want to ([^.]+)/.exec(material) ?? [];
  if (quote === undefined || wish === undefined || !schema?.properties?.requests) return { value: {} };
  return {
    value: {
      requests: [{ sentence: wish, turn: 1, quote, fulfilled: 'yes', by: null }],
      checked: 'The agent said that it was done.',
      findings: [],
      expectations: [],
      outcome: { turn: 3, quote: 'No, thank you', because: 'The caller wanted nothing more.', value: 'resolved' },
      intent: wish,
    },
  };
}
