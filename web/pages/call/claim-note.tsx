import type { Schemas } from '../../client/api.ts';
import { words } from '../../format.ts';

type Claim = Schemas['Claim'];

const VERDICTS: Record<Claim['verdict'], { mark: string; text: string; look: string }> = {
  backed: { mark: '✓', text: 'backed by the result', look: 'text-good' },
  unbacked: { mark: '?', text: 'no result backs it', look: 'text-bad' },
  contradicted: { mark: '✕', text: 'the result says otherwise', look: 'text-bad' },
  after_failure: { mark: '✕', text: 'said after the tool had failed', look: 'text-bad' },
};

/** Something that the agent said it did, beside the tool result that backs it, or beside nothing. */
export function ClaimNote({ claim, onChoose }: { claim: Claim; onChoose: (turn: number) => void }) {
  const { mark, text, look } = VERDICTS[claim.verdict];
  const { backedBy } = claim;
  return (
    <p className="flex max-w-[76ch] flex-wrap gap-x-2 text-xs text-ink-2">
      <span className={`font-medium ${look}`}>
        <span aria-hidden>{mark} </span>
        {words(claim.kind)}: {text}
      </span>
      {backedBy !== null && (
        <button type="button" className="min-h-6 text-accent hover:underline" onClick={() => onChoose(backedBy)}>
          see turn {backedBy}
        </button>
      )}
    </p>
  );
}
