import type { Schemas } from '../../client/api.ts';
import { calls, count } from '../../format.ts';
import { useAgent } from '../../frame/agent-frame.tsx';
import { TextLink } from '../../ui/link.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Cell, HeadCell, Table } from '../../ui/table.tsx';

type Preview = Schemas['ThresholdPreview'];
type Changed = Preview['signals'][number];

/** Per code, which signals would be added and withdrawn, with calls to look at. */
export function ThresholdPreview({ preview }: { preview: Preview }) {
  return (
    <Panel className="space-y-3 p-4">
      <h3 className="text-md font-semibold">What would change</h3>
      <p className="max-w-[76ch] text-sm text-ink-2">{preview.message}</p>
      {preview.signals.length > 0 && (
        <Table label="What would change">
          <thead>
            <tr>
              <HeadCell>Signal</HeadCell>
              <HeadCell>Now</HeadCell>
              <HeadCell>Then</HeadCell>
              <HeadCell>Added</HeadCell>
              <HeadCell>Withdrawn</HeadCell>
            </tr>
          </thead>
          <tbody>
            {preview.signals.map((changed) => (
              <tr key={changed.code}>
                <Cell>{changed.title}</Cell>
                <Cell className="whitespace-nowrap">{calls(changed.before.calls)}</Cell>
                <Cell className="whitespace-nowrap">{calls(changed.after.calls)}</Cell>
                <Cell>
                  <Moved moved={changed.added} />
                </Cell>
                <Cell>
                  <Moved moved={changed.withdrawn} />
                </Cell>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </Panel>
  );
}

function Moved({ moved }: { moved: Changed['added'] }) {
  const agent = useAgent();
  const { signals, labels, examples } = moved;
  return (
    <>
      <p>
        {count(signals)}
        {labels.right + labels.wrong > 0 &&
          `, people said right of ${count(labels.right)} and wrong of ${count(labels.wrong)}`}
      </p>
      {examples.map(({ callId, turnIndex, quote, detail }) => (
        <p key={callId} className="max-w-96 truncate text-xs text-ink-2">
          <TextLink
            to="/a/$agentId/calls/$callId"
            params={{ agentId: agent.id, callId }}
            hash={`turn-${turnIndex}`}
            className="underline"
          >
            call
          </TextLink>{' '}
          {quote === '' ? detail : `“${quote}”`}
        </p>
      ))}
    </>
  );
}
