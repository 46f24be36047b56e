import { does } from '../../acts/act.ts';
import { sentenceTextAt } from '../../acts/sentences.ts';
import { usesBetween } from '../../calls/stretch.ts';
import { effectOf, splitName } from '../../calls/tool-uses.ts';
import type { Detector } from '../catalogue-entry.ts';
import { entry } from '../entry.ts';
import { ledgerDetections } from '../ledger-detections.ts';
import { firstMissing, missingPhrases, missingTools } from '../needs.ts';
import { placeAt } from '../places.ts';
import type { CallReading } from '../reading.ts';
import type { Detection } from '../signal.ts';

/** The agent says that something is done, and no tool was called that could have done it. */
export const claimedWithoutTool: Detector = {
  entry: entry({
    code: 'claimed_without_tool',
    title: 'Success claimed without a tool',
    klass: 'content',
    lane: 'integrations',
    severity: 'critical',
    needs: ['words_of_the_talk', 'tool_results'],
    isNot: 'A state that the agent looked up and reads out, a promise, a question, or a repeated confirmation.',
    causes: [
      {
        code: 'no_such_tool',
        label: 'The agent has no tool for what it claims',
        category: 'missing_tool',
        party: 'agent',
        outside: false,
        recommendation: 'Give the agent a tool for this, or forbid at {place} to confirm it.',
        evidence: (facts) =>
          facts['hasTool'] === false ? "None of the agent's tools does what it says it did." : null,
      },
      {
        code: 'tool_not_called',
        label: 'The agent confirms without calling its tool',
        category: 'instruction_breach',
        party: 'agent',
        outside: false,
        recommendation: 'Write at {place}: confirm only after the tool has answered with success.',
        evidence: (facts) =>
          facts['hasTool'] === true ? `The agent has "${String(facts['tool'])}" and did not call it.` : null,
      },
    ],
    check: 'Find out at {place} whether the agent could have done what it says: which tool, and why it was not called.',
  }),
  detect(reading) {
    const missing = firstMissing(missingTools(reading), missingPhrases(reading));
    if (missing !== null) return missing;
    const claimed = reading.claims
      .filter((claim) => claim.verdict === 'unbacked')
      .map((claim) => {
        const tools = reading.configuration?.tools ?? null;
        const tool = tools?.find((one) => claim.does(one.name))?.name ?? null;
        return {
          turnIndex: claim.turn,
          quote: claim.text,
          detail: 'The agent says that it is done; no tool result of this call backs it.',
          place: placeAt(reading, claim.turn),
          confidence: 0.6,
          facts: { kind: claim.kind, hasTool: tools === null || tools.length === 0 ? null : tool !== null, tool },
        };
      });
    const turns = new Set(claimed.map((one) => one.turnIndex));
    const things = ledgerDetections(reading, 'claimed_without_tool').filter((one) => !turns.has(one.turnIndex));
    const named = neverCalled(reading, new Set([...turns, ...things.map((one) => one.turnIndex)]));
    return [...claimed, ...things, ...named].sort((a, b) => a.turnIndex - b.turnIndex);
  },
};

/** "With your voucher applied", where a tool of the agent applies vouchers and was not called before. */
function neverCalled(reading: CallReading, known: ReadonlySet<number>): Detection[] {
  const tools = reading.configuration?.tools ?? [];
  const things = tools.flatMap((tool) => {
    const words = splitName(tool.name);
    const own = words
      .slice(1)
      .filter(
        (word) =>
          word.length >= THING_AT_LEAST &&
          tools.every((other) => other === tool || !splitName(other.name).includes(word)),
      );
    return effectOf(words, tool) === 'read' ? [] : own.map((word) => ({ word, tool }));
  });
  if (things.length === 0) return [];
  return reading.agent.flatMap((turn) => {
    if (known.has(turn.index) || does(turn, 'cannot')) return [];
    const done = turn.acts.find(({ kind }) => kind === 'claims_done');
    if (done === undefined) return [];
    const said = sentenceTextAt(turn, done.from);
    const thing = said.endsWith('?')
      ? undefined
      : things.find(({ word }) => new RegExp(`\\b${word}s?\\b`, 'i').test(said));
    if (thing === undefined) return [];
    if (reading.tools.some((use) => use.name === thing.tool.name && (use.callTurn ?? 0) < turn.index)) return [];
    // Another tool that was called in the same breath may do the same, or have told it: "delivery is scheduled for Monday".
    const since = reading.spoken.slice(0, turn.order).findLast(({ role }) => role === 'caller')?.index ?? 0;
    if (usesBetween(reading.tools, since, turn.index + 1).length > 0) return [];
    return [
      {
        turnIndex: turn.index,
        quote: turn.turn.text.slice(done.from, done.to),
        detail: `The agent speaks of the ${thing.word} as done; "${thing.tool.name}" was not called before.`,
        place: placeAt(reading, turn.index),
        confidence: 0.6,
        facts: { kind: 'named', hasTool: true, tool: thing.tool.name },
      },
    ];
  });
}

const THING_AT_LEAST = 4;
