import { FEWEST_CALLS } from './checkpoint.ts';
import type { ComparisonMetric } from './comparison.ts';
import { type Conclusion, isTraffic } from './conclusion.ts';
import type { IssueMove } from './issue-moves.ts';
import type { MixReading } from './mix.ts';

export interface Story {
  fromVersion: number;
  toVersion: number;
  callsBefore: number;
  callsAfter: number;
  conclusion: Conclusion;
  metrics: readonly ComparisonMetric[];
  moves: readonly IssueMove[];
  mix: MixReading | null;
  /** Calls with contact that each side still lacks for a first verdict. */
  missing: { before: number; after: number };
}

const MOVES_TOLD = 3;

/**
 * The comparison in sentences, made of its figures by rule: nothing in it is not in the document. A line each for how
 * many got it done, what else changed, the issues that moved, and all of it taken together.
 */
export function narrate(story: Story): string {
  if (story.conclusion === 'insufficient_evidence') return tooFew(story);
  const lead = story.metrics.find(({ metric }) => metric === 'got_it_done');
  const changed = story.metrics.filter((metric) => metric !== lead && metric.verdict === 'changed');
  const paragraphs = [
    [
      `Version ${story.toVersion} took ${calls(story.callsAfter)}, version ${story.fromVersion} ${calls(story.callsBefore)}.`,
      ...(lead ? [leadSentence(lead), ...mixSentence(lead, story)] : []),
    ],
    changed.map((metric) => changeSentence(metric, lead?.verdict === 'changed' ? story.mix : null)),
    moveSentences(story.moves),
    [ENDS[story.conclusion]],
  ];
  return paragraphs
    .filter((sentences) => sentences.length > 0)
    .map((sentences) => sentences.join(' '))
    .join('\n');
}

const ENDS: Record<Conclusion, string> = {
  insufficient_evidence: '',
  improved: 'Taken together, the change made it better.',
  worsened: 'Taken together, the change made it worse.',
  mixed: 'Some measures became better and others worse.',
  no_change: 'No measure moved by more than its minimum.',
  unclear: 'Taken together, this does not show a change, and does not rule one out.',
};

function tooFew({ fromVersion, toVersion, callsBefore, callsAfter, missing }: Story): string {
  const lacks = [
    missing.before > 0 ? `version ${fromVersion} needs ${missing.before} more` : '',
    missing.after > 0 ? `version ${toVersion} needs ${missing.after} more` : '',
  ].filter((part) => part !== '');
  const seen = `Version ${toVersion} took ${calls(callsAfter)}, version ${fromVersion} ${calls(callsBefore)}.`;
  return `${seen} Not enough calls: a verdict takes ${FEWEST_CALLS} calls with contact on each side; ${lacks.join(' and ')}.`;
}

function leadSentence(lead: ComparisonMetric): string {
  const figures = `${share(lead.before.value)} of ${lead.before.n} before, ${share(lead.after.value)} of ${lead.after.n} after`;
  return `${lead.label}: ${figures} (${VERDICT_WORDS[lead.verdict]}).`;
}

const VERDICT_WORDS: Record<ComparisonMetric['verdict'], string> = {
  changed: 'changed',
  unchanged: 'unchanged',
  unclear: 'unclear',
  not_enough_calls: 'not enough calls',
};

function mixSentence(lead: ComparisonMetric, { mix, fromVersion }: Story): string[] {
  if (mix === null) return [];
  const covered = mix.covered < 0.995 ? ` (${share(mix.covered)} of them have calls on both sides)` : '';
  const reweighted = `With the intents of version ${fromVersion}${covered} it would be ${share(mix.reweighted)}`;
  const within = `within the same intents it moved by ${points(mix.delta)} points (95 % between ${points(mix.lower)} and ${points(mix.upper)})`;
  const verdict =
    lead.verdict === 'changed' && isTraffic(lead.metric, mix)
      ? ': what callers asked for changed, not shown is that the agent did.'
      : '.';
  return [`${reweighted}; ${within}${verdict}`];
}

function changeSentence(metric: ComparisonMetric, mix: MixReading | null): string {
  const was = valueInWords(metric, metric.before.value);
  const is = valueInWords(metric, metric.after.value);
  return `${metric.label} went from ${was} to ${is}${judged(metric, mix)}.`;
}

/** @param mix what explains that fewer or more got it done; null where that did not move. */
function judged({ metric, direction }: ComparisonMetric, mix: MixReading | null): string {
  if (direction === 'none') return '';
  return isTraffic(metric, mix) ? ' (as what callers asked for changed)' : ` (${direction})`;
}

function moveSentences(moves: readonly IssueMove[]): string[] {
  const changed = moves.filter(({ verdict }) => verdict === 'changed');
  const told = changed.slice(0, MOVES_TOLD).map((move) => {
    const where = move.atChangedPlace ? ', where the configuration changed' : '';
    return `“${move.title}” at ${move.place} went from ${share(move.before.value)} to ${share(move.after.value)} of calls${where}.`;
  });
  const rest = changed.length - told.length;
  return rest > 0 ? [...told, `${rest} more ${rest === 1 ? 'issue' : 'issues'} moved.`] : told;
}

/** What the verdicts stand on. */
export function ruleText(checkpoint: number, judged: { before: number; after: number }): string {
  const test =
    'Shares are compared by Newcombe’s 95 % interval of their difference, medians by a bootstrap of 2,000 draws from a fixed start; a change must exclude 0 and reach the minimum.';
  const when =
    checkpoint === 0
      ? 'The first verdict comes at 30 calls on the smaller side.'
      : `Judged when the smaller side reached ${checkpoint} calls (${judged.before} before, ${judged.after} after) and not again before ${checkpoint * 2}.`;
  return `${test} ${when} The conclusion holds over all measures (Holm’s rule, half of the 5 % for the first), issues by their false discovery rate (Benjamini and Hochberg, 5 %).`;
}

function calls(count: number): string {
  return `${count} ${count === 1 ? 'call' : 'calls'}`;
}

function valueInWords({ unit }: ComparisonMetric, value: number | null): string {
  if (unit === 'share') return share(value);
  return value === null ? 'unknown' : `${(value / 1000).toFixed(1)} s`;
}

function share(value: number | null): string {
  return value === null ? 'unknown' : `${(value * 100).toFixed(1)} %`;
}

function points(value: number): string {
  return `${value > 0 ? '+' : ''}${(value * 100).toFixed(1)}`;
}
