import { percent, calls as say } from './sentences.ts';

/** Silence of an issue, counted in calls on which its code could be computed. */
export interface SilenceFacts {
  /** Calls that show it. */
  shown: number;
  /** Calls up to the last one that shows it, that one included. */
  computable: number;
  /** Calls after it: none of them shows it. */
  since: number;
}

export interface ResolutionCertainty {
  callsWithout: number;
  /** Share of the calls that showed it, while it did. */
  pastRate: number;
  /** Upper 95 % bound of its rate now, after so many calls without it; 1 where there are none. */
  rateUpper: number;
  /** How likely so much silence would be if nothing had changed. */
  chanceOfSilence: number;
  /** Calls without it that are still missing until that chance is under 5 %; 0 when it is settled, null where there is no past rate. */
  moreCallsUntilSure: number | null;
  sentence: string;
}

const DOUBT = 0.05;

/**
 * How sure it is that an issue is gone. The rule of the contract says when it counts as resolved; this says what that
 * is worth: after ten calls without a problem of one in a hundred, nothing is known yet.
 */
export function resolutionCertainty({ shown, computable, since }: SilenceFacts): ResolutionCertainty {
  const n = Math.max(0, since);
  const pastRate = computable > 0 ? Math.min(1, shown / computable) : 0;
  const rateUpper = n === 0 ? 1 : 1 - DOUBT ** (1 / n);
  const chanceOfSilence = (1 - pastRate) ** n;
  const moreCallsUntilSure =
    pastRate === 0 ? null : pastRate === 1 ? (n > 0 ? 0 : 1) : Math.max(0, callsUntilSure(pastRate) - n);
  const known = { callsWithout: n, pastRate, rateUpper, chanceOfSilence, moreCallsUntilSure };
  return { ...known, sentence: sentenceOf(known) };
}

function callsUntilSure(pastRate: number): number {
  return Math.ceil(Math.log(DOUBT) / Math.log1p(-pastRate));
}

function sentenceOf(known: Omit<ResolutionCertainty, 'sentence'>): string {
  const { callsWithout, pastRate, rateUpper, chanceOfSilence, moreCallsUntilSure } = known;
  if (callsWithout === 0) return 'No call since it was last seen could show it, so it is too early to tell.';
  const seen = `${say(callsWithout)} without it: its rate is now at most ${percent(rateUpper)} (95 %)`;
  if (moreCallsUntilSure === null) return `${seen}.`;
  const before = `it was ${percent(pastRate)} before`;
  if (moreCallsUntilSure === 0) return `${seen}; ${before}, which is too long a gap to be luck.`;
  return `${seen}; ${before}, so a gap like this has a ${percent(chanceOfSilence)} chance of being luck. ${say(moreCallsUntilSure)} more without it would confirm that it is gone.`;
}
