import { Link } from '@tanstack/react-router';
import { sendsCalls } from '../../../src/domain/vocabulary.ts';
import { api, type Schemas } from '../../client/api.ts';
import { count, words, ZONE } from '../../format.ts';
import { readOnlyReason, useAgent } from '../../frame/agent-frame.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Cell, HeadCell, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { ReadingNote } from '../reading/reading-note.tsx';
import { DropCalls } from './drop-calls.tsx';
import { ImportStatus } from './import-status.tsx';
import { StartImport } from './start-import.tsx';

type Import = Schemas['Import'];

export function ImportsPage() {
  const agent = useAgent();
  const imports = api.useQuery('get', '/app/agents/{agentId}/imports', {
    params: { path: { agentId: agent.id }, query: { limit: 100 } },
  });
  return (
    <Page
      title="Imports"
      below="Where the calls of this agent came from, what became of each record, and what is waited for."
      actions={
        <>
          <DropCalls />
          {!sendsCalls(agent.provider) && <StartImport unless={readOnlyReason(agent)} />}
        </>
      }
    >
      <ReadingNote />
      <Loaded of={imports}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="No imports yet">
              The first one starts when the agent’s brief is approved, or when files of calls are uploaded here.
            </Empty>
          ) : (
            <ImportTable imports={data} />
          )
        }
      </Loaded>
    </Page>
  );
}

const COUNTS = ['listed', 'stored', 'analysed', 'waiting', 'failed'] as const;

function ImportTable({ imports }: { imports: Import[] }) {
  return (
    <Table label="Imports">
      <thead>
        <tr>
          <HeadCell>Started ({ZONE})</HeadCell>
          <HeadCell>Kind</HeadCell>
          <HeadCell>State</HeadCell>
          {COUNTS.map((name) => (
            <HeadCell key={name} figure>
              {name === 'listed' ? 'Found' : words(name)}
            </HeadCell>
          ))}
          <HeadCell>Waits for</HeadCell>
        </tr>
      </thead>
      <tbody>
        {imports.map((each) => (
          <ImportRow key={each.id} shown={each} />
        ))}
      </tbody>
    </Table>
  );
}

function ImportRow({ shown }: { shown: Import }) {
  const agent = useAgent();
  return (
    <tr className="hover:bg-sunken/60">
      <Cell>
        <Link
          to="/a/$agentId/imports/$importId"
          params={{ agentId: agent.id, importId: shown.id }}
          className="text-accent hover:underline"
        >
          <Time at={shown.startedAt ?? shown.createdAt} short />
        </Link>
      </Cell>
      <Cell>{words(shown.kind)}</Cell>
      <Cell>
        <ImportStatus status={shown.status} />
      </Cell>
      {COUNTS.map((name) => (
        <Cell key={name} figure className={name === 'failed' && shown.failed > 0 ? 'font-medium text-bad' : undefined}>
          {count(shown[name])}
        </Cell>
      ))}
      <Cell className="max-w-96 text-ink-2">{shown.waitsFor ?? shown.reason}</Cell>
    </tr>
  );
}
