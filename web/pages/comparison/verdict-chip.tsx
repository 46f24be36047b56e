import type { Schemas } from '../../client/api.ts';
import { words } from '../../format.ts';
import { Chip, type Tone } from '../../ui/chip.tsx';

type Result = Schemas['Comparison']['result'];
type Metric = Schemas['ComparisonMetric'];

const CONCLUSION_TONES: Record<Result['conclusion'], Tone> = {
  insufficient_evidence: 'neutral',
  improved: 'good',
  worsened: 'bad',
  mixed: 'caution',
  no_change: 'neutral',
  unclear: 'neutral',
};

export function ConclusionChip({ result }: { result: Pick<Result, 'conclusion' | 'conclusionLabel'> }) {
  return <Chip tone={CONCLUSION_TONES[result.conclusion]}>{result.conclusionLabel}</Chip>;
}

const DIRECTION_LOOKS = {
  better: { tone: 'good', text: '✓ better' },
  worse: { tone: 'bad', text: '✕ worse' },
  none: { tone: 'neutral', text: 'changed' },
} as const;

/** What the difference of one figure comes to. */
export function VerdictChip({ verdict, direction }: Pick<Metric, 'verdict' | 'direction'>) {
  if (verdict !== 'changed') return <Chip>{words(verdict)}</Chip>;
  const { tone, text } = DIRECTION_LOOKS[direction];
  return <Chip tone={tone}>{text}</Chip>;
}
