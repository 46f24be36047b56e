import { type SpokenTurn, says } from '../../calls/spoken-turn.ts';
import { isAlike, jaccard } from '../../calls/text.ts';
import type { Detector } from '../catalogue-entry.ts';
import { entry } from '../entry.ts';
import { limit } from '../needs.ts';
import { placeAt } from '../places.ts';
import { quoteTurn } from '../quotes.ts';
import type { CallReading } from '../reading.ts';
import { numberOf } from '../tool-causes.ts';

const LINES_KEPT = 12;
const FEWEST_WORDS = 4;

/** The agent says nearly the same line three times. */
export const agentRepeatsLine: Detector = {
  entry: entry({
    code: 'agent_repeats_line',
    title: 'Agent repeats itself',
    klass: 'flow',
    lane: 'flow',
    severity: 'medium',
    thresholds: { times: 3, alike: 0.9 },
    needs: ['words_of_the_talk'],
    isNot:
      'Courtesies, offers of more help, words of waiting, the same question about another thing, or a line that the caller asked to hear again.',
    section: 'improve',
    metric: 'unresolved',
    causes: [
      {
        code: 'answer_not_taken',
        label: 'The agent does not take the answer that it is given',
        category: 'answer_not_recognised',
        party: 'agent',
        outside: false,
        recommendation: 'Say at {place} which answers count, and what follows when none was understood twice.',
        evidence: (facts) =>
          facts['sameAnswer'] === true ? 'The caller gave nearly the same answer each time.' : null,
      },
      {
        code: 'failing_tool_behind_line',
        label: 'A tool fails between the repetitions',
        category: 'system_failure',
        party: 'tool_owner',
        outside: false,
        recommendation: 'Mend the tool that fails here, and give {place} another sentence for that case.',
        evidence: (facts) =>
          (numberOf(facts['failures']) ?? 0) >= 1
            ? `A tool failed ${numberOf(facts['failures'])} times between the repetitions.`
            : null,
      },
    ],
    check: 'Read what callers answer between the repetitions at {place}.',
  }),
  detect(reading, _input, thresholds) {
    if (reading.agent.length === 0) return { reason: 'The agent said nothing on this call.' };
    const lines: { turns: SpokenTurn[]; told: boolean }[] = [];
    const found: SpokenTurn[][] = [];
    for (const turn of reading.agent) {
      if (turn.words.length < FEWEST_WORDS || turn.content.length < 2 || isCourtesy(turn) || wasAskedFor(reading, turn))
        continue;
      const line = lines.find((one) => isAlike(one.turns[0]?.content ?? [], turn.content, limit(thresholds, 'alike')));
      if (line === undefined) {
        lines.push({ turns: [turn], told: false });
        // Only recent lines are compared, so that a long call costs no more a turn than a short one.
        if (lines.length > LINES_KEPT) lines.shift();
        continue;
      }
      line.turns.push(turn);
      if (line.turns.length >= limit(thresholds, 'times') && !line.told) {
        line.told = true;
        found.push(line.turns);
      }
    }
    return found.flatMap((turns) => {
      const last = turns[limit(thresholds, 'times') - 1] ?? turns.at(-1);
      if (last === undefined) return [];
      return [
        {
          turnIndex: last.index,
          quote: quoteTurn(last),
          detail: `The agent said nearly the same line ${turns.length} times.`,
          place: placeAt(reading, last.index),
          confidence: 0.8,
          facts: betweenFacts(reading, turns),
        },
      ];
    });
  },
};

function isCourtesy(turn: SpokenTurn): boolean {
  return ['closing', 'offers_more', 'filler', 'ask_repeat'].some((list) => says(turn, list));
}

function wasAskedFor(reading: CallReading, turn: SpokenTurn): boolean {
  const before = reading.spoken[turn.order - 1];
  return (
    before?.role === 'caller' &&
    (says(before, 'hearing_check') || before.words.includes('repeat') || before.words.includes('again'))
  );
}

function betweenFacts(reading: CallReading, turns: readonly SpokenTurn[]) {
  const first = turns[0]?.index ?? 0;
  const last = turns.at(-1)?.index ?? 0;
  const answers = turns.map((turn) => reading.spoken[turn.order + 1]).filter((one) => one?.role === 'caller');
  const sameAnswer =
    answers.length >= 2 && answers.slice(1).every((one) => jaccard(one?.words ?? [], answers[0]?.words ?? []) >= 0.6);
  return {
    sameAnswer,
    failures: reading.tools.filter(
      (use) => use.ok === false && (use.resultTurn ?? 0) > first && (use.resultTurn ?? 0) < last,
    ).length,
  };
}
