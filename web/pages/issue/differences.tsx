import type { Schemas } from '../../client/api.ts';
import { calls, count, number, words } from '../../format.ts';
import { Section } from '../../ui/panel.tsx';
import { Cell, HeadCell, Table } from '../../ui/table.tsx';

type Explanation = Schemas['IssueExplanation'];

/** From here on only the least that it surely is says something. */
const FAR = 20;

/** On which values the affected calls differ from the others; a difference is not a cause. */
export function Differences({ explanation }: { explanation: Explanation }) {
  const { compared, found, tests, rule } = explanation.differences;
  return (
    <Section
      title="What differs about these calls"
      note={`${calls(compared.affected)} against ${count(compared.others)} others`}
    >
      {found.length === 0 ? (
        <p className="text-ink-2">Nothing stands out among {count(tests)} values that were compared.</p>
      ) : (
        <Table label="Differences">
          <thead>
            <tr>
              <HeadCell>Value</HeadCell>
              <HeadCell figure>With it</HeadCell>
              <HeadCell figure>Without it</HeadCell>
              <HeadCell figure>Times as often (95 %)</HeadCell>
            </tr>
          </thead>
          <tbody>
            {found.map(({ dimension, value, label, with: having, without, lift }) => (
              <tr key={`${dimension} ${value}`}>
                <Cell>
                  {label} <span className="text-ink-2">{words(dimension)}</span>
                </Cell>
                <Cell figure>
                  {count(having.calls)} of {count(having.of)}
                </Cell>
                <Cell figure>
                  {count(without.calls)} of {count(without.of)}
                </Cell>
                <Cell figure>
                  {lift.value >= FAR ? (
                    `over ${count(Math.floor(lift.lower))} ×`
                  ) : (
                    <>
                      {number(lift.value)} ×{' '}
                      <span className="text-ink-2">{`${number(lift.lower)}–${number(lift.upper)}`}</span>
                    </>
                  )}
                </Cell>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
      <p className="mt-2 max-w-[80ch] text-xs text-ink-2">{rule}</p>
    </Section>
  );
}
