import { does } from '../../acts/act.ts';
import type { SpokenTurn } from '../../acts/spoken-turn.ts';
import { quotePhrase } from '../../calls/quotes.ts';
import { usesBetween } from '../../calls/stretch.ts';
import { isAlike } from '../../text.ts';
import type { Detector } from '../catalogue-entry.ts';
import { HUMAN_REQUEST_IGNORED } from '../entries/flow.ts';
import { limit, missingPhrases } from '../needs.ts';
import { placeAt } from '../places.ts';
import type { CallReading } from '../reading.ts';

/** The caller asked for a person more than once, or was answered with the line before, and stayed with the agent. */
export const humanRequestIgnored: Detector = {
  entry: HUMAN_REQUEST_IGNORED,
  detect(reading, _input, thresholds) {
    const missing = missingPhrases(reading);
    if (missing !== null) return missing;
    const asked = reading.caller.filter((turn) => does(turn, 'asks_for_person'));
    if (asked.length === 0 || reading.outcome().outcome === 'transferred') return [];
    const within = limit(thresholds, 'turnsToTransfer');
    const open = asked.filter((turn) => !isTakenUp(reading, turn, within));
    // The first time the agent may ask what it is about.
    const again = open.slice(limit(thresholds, 'requests') - 1);
    const ignored = again.length > 0 ? again : open.filter((turn) => isPassedOver(reading, turn)).slice(0, 1);
    const tools = reading.configuration?.tools ?? null;
    const transferTools =
      tools === null
        ? null
        : tools.filter((tool) => tool.kind === 'transfer' || /transfer|handoff|escalat/i.test(tool.name)).length;
    return ignored.map((turn) => ({
      turnIndex: turn.index,
      quote: quotePhrase(turn, 'ask_human'),
      detail:
        asked.length === 1
          ? 'The caller asked for a person, and the agent only said its last line again.'
          : `The caller asked for a person ${asked.length} times; no transfer followed.`,
      place: placeAt(reading, turn.index),
      confidence: 0.6,
      facts: { transferTools },
    }));
  },
};

/** The reply is the agent's last line once more, as if nothing had been said. */
function isPassedOver(reading: CallReading, turn: SpokenTurn): boolean {
  const [before, reply] = [reading.spoken[turn.order - 1], reading.spoken[turn.order + 1]];
  if (before?.role !== 'agent' || reply?.role !== 'agent' || reply.content.length === 0) return false;
  return isAlike(before.content, reply.content, SAME_LINE);
}

const SAME_LINE = 0.9;

/** A transfer follows, or the agent hands over in words, says that nobody is there or that somebody will call. */
function isTakenUp(reading: CallReading, turn: SpokenTurn, within: number): boolean {
  const until = reading.spoken[turn.order + within]?.index ?? Number.MAX_SAFE_INTEGER;
  const transfers = usesBetween(reading.tools, turn.index, until === Number.MAX_SAFE_INTEGER ? until : until + 1).some(
    (use) => use.effect === 'transfer',
  );
  const reply = reading.spoken[turn.order + 1];
  if (transfers || reply?.role !== 'agent') return transfers;
  // "I'm sorry, I didn't get that" is no answer to it.
  return does(reply, 'hands_over') || (does(reply, 'cannot') && !does(reply, 'asks_again'));
}
