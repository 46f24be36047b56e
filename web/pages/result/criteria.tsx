import type { Schemas } from '../../client/api.ts';
import { Chip } from '../../ui/chip.tsx';

type Criterion = Schemas['CriterionResult'];

const DECIDERS: Record<Criterion['decidedBy']['kind'], string> = {
  check: 'Checked by code',
  judge: 'Read by a model',
  undecided: 'Not decided',
};

/** Each criterion with its verdict, who decided it, and the words that it stands on. */
export function Criteria({ criteria, onTurn }: { criteria: Criterion[]; onTurn?: (turn: number) => void }) {
  return (
    <ul className="space-y-2">
      {criteria.map((criterion) => (
        <li key={criterion.criterionId} className="max-w-[84ch] text-sm">
          <div className="flex items-baseline gap-x-2">
            <Met met={criterion.met} />
            <span className="min-w-0 break-words">{criterion.text}</span>
          </div>
          <Because criterion={criterion} onTurn={onTurn} />
        </li>
      ))}
    </ul>
  );
}

function Met({ met }: { met: boolean | null }) {
  if (met === null) return <Chip>? not decided</Chip>;
  return met ? <Chip tone="good">✓ met</Chip> : <Chip tone="bad">✕ not met</Chip>;
}

function Because({ criterion, onTurn }: { criterion: Criterion; onTurn: ((turn: number) => void) | undefined }) {
  const { decidedBy, quote, evidenceTurn } = criterion;
  const because = decidedBy.answers.at(-1)?.because;
  return (
    <div className="mt-0.5 text-xs text-ink-2">
      <p>
        {DECIDERS[decidedBy.kind]}
        {decidedBy.model && `, ${decidedBy.model}`}. {because}
      </p>
      {quote && <p className="mt-0.5 border-l-2 border-control pl-2 break-words text-ink">{quote}</p>}
      {evidenceTurn !== null && onTurn && (
        <button type="button" className="min-h-6 text-accent hover:underline" onClick={() => onTurn(evidenceTurn)}>
          see turn {evidenceTurn}
        </button>
      )}
    </div>
  );
}
