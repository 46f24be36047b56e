import type { Section, Severity } from '../vocabulary.ts';
import { percent, calls as say } from './sentences.ts';

/** What decides where a listed issue stands, as it was stored with it. */
export interface RankFacts {
  section: Section;
  causeEstablished: boolean;
  fellOnLive: boolean;
  volume: number;
  /** All analysed calls of the agent. */
  allCalls: number;
  /** Share of the affected calls that ended badly. */
  failedShare: number;
  severity: Severity;
  /** The parts of the score; what is missing is left out of the sentence. */
  parts: {
    computableCalls?: number;
    harm?: number;
    harmFloor?: number;
    harmDifference?: number;
    harmDifferenceLower?: number;
    confidence?: number;
    harmBy?: string;
    loss?: string;
    through?: string;
    near?: string;
    /** The issue's own figures, where the others are of what it ranks through. */
    own?: { computableCalls: number; harmDifference: number };
  };
  /** Days from the issue's last call to the agent's newest one; null where either has no time. */
  daysSinceSeen: number | null;
}

/** Fewer days halve nothing that a reader would notice. */
const STALE_DAYS = 7;

/**
 * Why an issue stands where it stands, in a line: what puts it below others whatever its score, then what the score is made
 * of. The order itself is (cause open, gone on the live version, score).
 */
export function rankReason(facts: RankFacts): string {
  return [...placedBelow(facts), `${counted(facts)}, ${endings(facts)}; ${weight(facts)}.`].join(' ');
}

function placedBelow({ section, causeEstablished, fellOnLive }: RankFacts): string[] {
  const open = section === 'not_established' || !causeEstablished;
  return [
    ...(open ? ['Below every issue with a cause, as none is established.'] : []),
    ...(fellOnLive ? ['Below those that still happen, as the live version no longer shows it.'] : []),
  ];
}

function counted({ volume, allCalls, parts }: RankFacts): string {
  const readable = ownFigures(parts).computableCalls ?? allCalls;
  if (readable < allCalls * 0.9 && readable >= volume) {
    return `${volume} of the ${say(readable)} on which it could be read`;
  }
  return `${volume} of ${say(allCalls)}`;
}

/** Of an issue that ranks through another, and was grouped before its own were kept, they are not known. */
function ownFigures({ own, through, computableCalls, harmDifference }: RankFacts['parts']) {
  return own ?? (through === undefined ? { computableCalls, harmDifference } : {});
}

function endings({ failedShare, volume, allCalls, parts }: RankFacts): string {
  const own =
    failedShare === 0 ? 'none of which' : failedShare === 1 ? 'all of which' : `${percent(failedShare)} of which`;
  const { harmDifference, computableCalls = allCalls } = ownFigures(parts);
  const others = harmDifference === undefined || computableCalls <= volume ? null : failedShare - harmDifference;
  const against = others === null || others < 0 || others > 1 ? '' : ` (${percent(others)} of the others)`;
  return `${own} ended badly${against}`;
}

function weight({ severity, parts, causeEstablished, daysSinceSeen }: RankFacts): string {
  const { confidence = 1, through, near = null } = parts;
  const counts = `ranked by ${through === undefined ? '' : `what follows from it, “${through}”: `}${whatCounts(severity, parts)}`;
  const sure = confidence < 1 ? `discounted for the confidence of its findings (${percent(confidence)})` : null;
  const cause = causeEstablished ? 'cause established' : null;
  const stale =
    daysSinceSeen !== null && daysSinceSeen >= STALE_DAYS
      ? `last seen ${Math.round(daysSinceSeen)} days before the newest call`
      : null;
  return [counts, sure, stale, cause, near].filter((part) => part !== null).join('; ');
}

function whatCounts(
  severity: Severity,
  { harm, harmFloor, harmBy, harmDifferenceLower, loss }: RankFacts['parts'],
): string {
  if (harmBy === 'loss' && loss !== undefined) return `what callers lose (${loss})`;
  const byEndings = harmBy === undefined ? (harm ?? 1) > (harmFloor ?? 0) : harmBy === 'endings';
  if (byEndings) {
    return `how many more of its calls end badly${harmDifferenceLower === undefined ? '' : ` (surely ${percent(harmDifferenceLower)} more)`}`;
  }
  if (harmBy === 'ending') return `its severity as a bad ending (${severity})`;
  if (harmDifferenceLower === undefined || harmDifferenceLower < 0.005) {
    return `its severity (${severity}), as its calls are not shown to end worse than others`;
  }
  return `its severity (${severity}), which counts for more than how its calls end (surely ${percent(harmDifferenceLower)} more end badly)`;
}
