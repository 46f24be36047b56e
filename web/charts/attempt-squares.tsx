import type { Schemas } from '../client/api.ts';
import { words } from '../format.ts';
import { classes } from '../ui/classes.ts';

type Result = Schemas['RunResultCell']['result'];
type AttemptResult = Schemas['RunResultCell']['attempts'][number]['result'];

const MARKS: Record<Result, { mark: string; look: string }> = {
  passed: { mark: '✓', look: 'bg-good-soft text-good' },
  failed: { mark: '✕', look: 'bg-bad-soft text-bad' },
  flaky: { mark: '≈', look: 'bg-caution-soft text-caution' },
  error: { mark: '!', look: 'bg-caution-soft text-caution' },
  drift: { mark: '↷', look: 'bg-caution-soft text-caution' },
  not_run: { mark: '–', look: 'bg-sunken text-ink-2' },
};

/** One square a try; the frame of a test that gates is firm. */
export function ResultSquare({ result, gates }: { result: Result; gates?: boolean }) {
  const { mark, look } = MARKS[result];
  return (
    <span
      role="img"
      aria-label={words(result)}
      title={words(result)}
      className={classes(
        'inline-grid size-6 shrink-0 place-items-center rounded-control border text-sm font-semibold',
        look,
        gates ? 'border-current' : 'border-transparent',
      )}
    >
      {mark}
    </span>
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
