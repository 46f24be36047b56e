import type { Schemas } from '../../client/api.ts';
import { number } from '../../format.ts';
import { Section } from '../../ui/panel.tsx';

const FACTORS = [
  { part: 'harm', label: 'Harm a call' },
  { part: 'reach', label: 'Reach' },
  { part: 'sureness', label: 'Sureness' },
] as const;

/** The score opened into the factors whose product it is. */
export function RankReason({ explanation }: { explanation: Schemas['IssueExplanation'] }) {
  const { reason, formula, parts, priorityScore } = explanation.rank;
  return (
    <Section title="Why this rank" note={`score ${number(priorityScore)}`}>
      <p className="max-w-[72ch]">{reason}</p>
      <dl className="mt-3 grid max-w-xl grid-cols-[10rem_minmax(0,1fr)_4rem] items-center gap-x-3 gap-y-2 text-sm">
        {FACTORS.map(({ part, label }) => {
          const value = parts[part];
          if (typeof value !== 'number') return null;
          return (
            <div key={part} className="contents">
              <dt className="text-ink-2">{label}</dt>
              <dd aria-hidden className="h-1.5 bg-sunken">
                <svg width="100%" height="6" preserveAspectRatio="none" viewBox="0 0 100 6" className="block">
                  <rect width={Math.min(100, value * 100)} height="6" className="fill-ink-2" />
                </svg>
              </dd>
              <dd className="text-right">{value.toPrecision(2)}</dd>
            </div>
          );
        })}
      </dl>
      <p className="mt-3 max-w-[80ch] text-xs text-ink-2">{formula}</p>
    </Section>
  );
}
