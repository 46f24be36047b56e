import type { Schemas } from '../client/api.ts';
import { classes } from './classes.ts';

type Proof = Schemas['DetectedSignal']['proof'][number];

interface ProofQuotesProps {
  proof: readonly Proof[];
  /** Left out: turns are named and lead nowhere. */
  onChoose?: (turn: number) => void;
  dense?: boolean;
}

/** What a finding was held against, quote by quote, each with the place where it stands. */
export function ProofQuotes({ proof, onChoose, dense = false }: ProofQuotesProps) {
  if (proof.length === 0) return null;
  return (
    <dl className={classes('max-w-[72ch] space-y-2', dense ? 'mt-2 text-sm' : 'mt-4')} aria-label="Held against">
      {proof.map((one) => (
        <div key={`${one.in} ${one.index} ${one.quote}`} className="border-l-2 border-good pl-3">
          <dt className="text-xs text-ink-2">
            {onChoose && one.in !== 'prompt' && one.index !== null ? (
              <button type="button" className="min-h-6 hover:underline" onClick={() => onChoose(one.index ?? 0)}>
                {sourceOf(one)}
              </button>
            ) : (
              sourceOf(one)
            )}
          </dt>
          <dd className="break-words">{one.quote}</dd>
        </div>
      ))}
    </dl>
  );
}

function sourceOf({ in: source, index }: Proof): string {
  if (source === 'prompt') return index === null ? 'Prompt' : `Prompt, line ${index}`;
  if (source === 'tool') return index === null ? 'Tool' : `Tool at turn ${index}`;
  return `Turn ${index ?? ''}`;
}
