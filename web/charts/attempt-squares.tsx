import type { Schemas } from '../client/api.ts';
import { words } from '../format.ts';
import { Chip } from '../ui/chip.tsx';
import { classes } from '../ui/classes.ts';

type Result = Schemas['RunResultCell']['result'];
type AttemptResult = Schemas['RunResultCell']['attempts'][number]['result'];

const LOOKS = {
  good: 'bg-good-soft text-good',
  bad: 'bg-bad-soft text-bad',
  caution: 'bg-caution-soft text-caution',
  neutral: 'bg-sunken text-ink-2',
};

const MARKS: Record<Result, { mark: string; tone: keyof typeof LOOKS }> = {
  passed: { mark: '✓', tone: 'good' },
  failed: { mark: '✕', tone: 'bad' },
  flaky: { mark: '≈', tone: 'caution' },
  error: { mark: '!', tone: 'caution' },
  drift: { mark: '↷', tone: 'caution' },
  not_run: { mark: '–', tone: 'neutral' },
};

/** One square a try; the frame of a test that gates is firm. */
export function ResultSquare({ result, gates }: { result: Result; gates?: boolean }) {
  const { mark, tone } = MARKS[result];
  return (
    <span
      role="img"
      aria-label={words(result)}
      title={words(result)}
      className={classes(
        'inline-grid size-6 shrink-0 place-items-center rounded-control border text-sm font-semibold',
        LOOKS[tone],
        gates ? 'border-current' : 'border-transparent',
      )}
    >
      {mark}
    </span>
  );
}

/** The same in words, where it stands alone. */
export function ResultChip({ result }: { result: Result }) {
  const { mark, tone } = MARKS[result];
  return (
    <Chip tone={tone}>
      {mark} {words(result)}
    </Chip>
  );
}

export function AttemptSquares({ attempts }: { attempts: { attempt: number; result: AttemptResult }[] }) {
  return (
    <span className="inline-flex gap-1">
      {attempts.map(({ attempt, result }) => (
        <ResultSquare key={attempt} result={result} />
      ))}
    </span>
  );
}
