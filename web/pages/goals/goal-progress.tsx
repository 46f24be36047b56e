import { ResultSquare } from '../../charts/attempt-squares.tsx';
import { api } from '../../client/api.ts';
import { useAgent } from '../../frame/agent-frame.tsx';
import { Chip } from '../../ui/chip.tsx';
import { TextLink } from '../../ui/link.tsx';
import { Section } from '../../ui/panel.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Cell, HeadCell, Table } from '../../ui/table.tsx';

const CHANGES = {
  fixed: <Chip tone="good">↑ fixed</Chip>,
  newly_broken: <Chip tone="bad">↓ newly broken</Chip>,
  unchanged: <span className="text-ink-2">unchanged</span>,
};

/** What its runs showed, the first beside the last. */
export function GoalProgress({ goalId }: { goalId: string }) {
  const agent = useAgent();
  const params = { path: { agentId: agent.id, goalId } };
  const progress = api.useQuery('get', '/v1/agents/{agentId}/goals/{goalId}/progress', { params });
  return (
    <Section title="What came of it">
      <Loaded of={progress} rows={2}>
        {({ message, tests }) => (
          <>
            <p className="mb-3 max-w-[72ch]">{message}</p>
            {tests.length > 0 && (
              <Table label="Tests of the goal">
                <thead>
                  <tr>
                    <HeadCell>Caller</HeadCell>
                    <HeadCell>Before</HeadCell>
                    <HeadCell>After</HeadCell>
                    <HeadCell>Change</HeadCell>
                  </tr>
                </thead>
                <tbody>
                  {tests.map(({ testId, persona, before, after, change }) => (
                    <tr key={`${testId} ${persona}`}>
                      <Cell>
                        <TextLink to="/a/$agentId/tests/$testId" params={{ agentId: agent.id, testId }}>
                          {persona}
                        </TextLink>
                      </Cell>
                      <Cell>
                        <ResultSquare result={before.result} /> version {before.version}
                      </Cell>
                      <Cell>
                        {after && (
                          <>
                            <ResultSquare result={after.result} /> version {after.version}
                          </>
                        )}
                      </Cell>
                      <Cell>{change && CHANGES[change]}</Cell>
                    </tr>
                  ))}
                </tbody>
              </Table>
            )}
          </>
        )}
      </Loaded>
    </Section>
  );
}
