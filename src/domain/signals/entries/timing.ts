import type { CatalogueEntry, CauseRow } from '../catalogue-entry.ts';
import { entry } from '../entry.ts';
import { MODEL } from '../places.ts';
import { numberOf } from '../tool-causes.ts';

/** Of slow answers, and of the model that makes them: one change, so one issue. */
const SLOW_MODEL = {
  code: 'slow_model',
  label: 'The language model takes most of the time',
  category: 'system_failure',
  party: 'platform',
  outside: false,
  recommendation: 'Choose a faster model, or shorten the prompt.',
  target: () => MODEL,
} as const satisfies Partial<CauseRow>;

export const FIRST_WORD_SLOW = entry({
  code: 'first_word_slow',
  title: 'Slow first word',
  klass: 'technical',
  lane: 'speaking',
  severity: 'medium',
  thresholds: { slowMs: 3000 },
  needs: ['times_of_the_agent'],
  isNot: 'An agent that lets the caller speak first.',
  check:
    'See what happens at {place} between connecting and the greeting: a look-up, a greeting made by the model, a pause.',
});

export const TURN_LATENCY_HIGH = entry({
  code: 'turn_latency_high',
  title: 'Slow answers',
  klass: 'technical',
  lane: 'speaking',
  severity: 'medium',
  thresholds: { p90Ms: 3500, anyMs: 6000 },
  needs: ['turn_times'],
  isNot: 'A pause after the caller asked for time, or a wait that the agent announced.',
  causes: [
    {
      code: 'waits_for_tool',
      label: 'The agent waits for a tool before it speaks',
      category: 'system_failure',
      party: 'tool_owner',
      outside: false,
      recommendation: 'Let the agent say a sentence before it calls the tool, and make the tool faster.',
      evidence: (facts) => {
        const tool = numberOf(facts['toolMs']);
        const gap = numberOf(facts['gapMs']);
        return tool !== null && gap !== null && tool >= gap / 2
          ? `Of ${gap} ms of waiting, ${tool} ms were spent in a tool.`
          : null;
      },
    },
    {
      ...SLOW_MODEL,
      evidence: (facts) => {
        const model = numberOf(facts['llmP90Ms']);
        const gap = numberOf(facts['gapMs']);
        return model !== null && gap !== null && model >= gap / 2
          ? `The language model alone takes ${model} ms in its slowest tenth.`
          : null;
      },
    },
  ],
  check: 'See in the latency figures of these calls which part takes the time: recognition, model, tool or voice.',
});

export const DEAD_AIR = entry({
  code: 'dead_air',
  title: 'Dead air',
  klass: 'technical',
  lane: 'speaking',
  severity: 'high',
  thresholds: { silentMs: 6000 },
  needs: ['turn_times'],
  isNot: 'A caller who thinks or looks something up: the silence counts only while the agent owes a turn.',
  causes: [
    {
      code: 'waits_for_tool',
      label: 'The agent waits in silence for a tool',
      category: 'system_failure',
      party: 'tool_owner',
      outside: false,
      recommendation: 'Make {place} faster, and let the agent speak while it runs.',
      evidence: (facts) => {
        const tool = numberOf(facts['toolMs']);
        const gap = numberOf(facts['gapMs']);
        return tool !== null && gap !== null && tool >= gap / 2
          ? `Of ${gap} ms of silence, ${tool} ms were spent in a tool.`
          : null;
      },
    },
  ],
  check: 'Listen to these silences, and see in the log what the agent did at {place}.',
});

export const LLM_SLOW: CatalogueEntry = {
  ...latency('llm_slow', 'Slow language model', 2000),
  causes: [{ ...SLOW_MODEL, evidence: (_facts, { detail }) => detail }],
};

export const TTS_SLOW = latency('tts_slow', 'Slow speech synthesis', 1000, 'The voice takes too long to begin');

export const STT_SLOW = latency('stt_slow', 'Slow speech recognition', 1000, 'The recognizer takes too long');

/** Of a part of the platform whose latency it reports: the slowest tenth is over its budget. */
function latency(code: string, title: string, budgetMs: number, selfLabel?: string): CatalogueEntry {
  return entry({
    code,
    title,
    klass: 'technical',
    lane: 'speaking',
    severity: 'medium',
    thresholds: { p90Ms: budgetMs, answers: 3 },
    needs: ['platform_latency'],
    isNot: 'One slow answer among many: the slowest tenth must be over the budget.',
    selfCause: selfLabel !== undefined,
    selfLabel,
    check: 'Look at the settings and the provider of {place}.',
  });
}
