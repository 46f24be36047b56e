import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { DELIVERY_STATES } from '../../../src/domain/vocabulary.ts';
import { api, type Schemas } from '../../client/api.ts';
import { byCursor } from '../../client/by-cursor.ts';
import { count, DASH, words } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { TabLink } from '../../ui/link.tsx';
import { More } from '../../ui/more.tsx';
import { Section } from '../../ui/panel.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Cell, HeadCell, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { DeliveryChip } from '../settings/delivery-chip.tsx';
import { TryList } from '../settings/tries.tsx';

type Message = Schemas['ChannelMessage'];

const FROM = '/settings/messages/$channelId';

/** What was sent this way, with what came back. */
export function MessageLog({ channel }: { channel: Schemas['Channel'] }) {
  const filters = useSearch({ from: '/inside/settings/messages/$channelId' });
  const messages = api.useInfiniteQuery(
    'get',
    '/app/channels/{channelId}/messages',
    { params: { path: { channelId: channel.id }, query: { limit: 50, ...filters } } },
    byCursor,
  );
  const rows = messages.data?.pages.flatMap(({ data }) => data);
  return (
    <Section title="Messages" note="newest first; words are kept for 30 days">
      <nav aria-label="Narrow the messages" className="mb-3 flex flex-wrap gap-1">
        <TabLink from={FROM} search={{}} chosen={filters.state === undefined}>
          All
        </TabLink>
        {DELIVERY_STATES.map((state) => (
          <TabLink key={state} from={FROM} search={{ state }} chosen={filters.state === state}>
            {words(state)}
          </TabLink>
        ))}
      </nav>
      <Loaded of={{ data: rows, error: messages.error, refetch: messages.refetch }} rows={4}>
        {(loaded) =>
          loaded.length > 0 ? (
            <MessageTable messages={loaded} />
          ) : filters.state ? (
            <Empty title={`No messages are ${filters.state}`} />
          ) : (
            <Empty title="Nothing was sent yet">The first event of its kinds appears here. Try it with a test.</Empty>
          )
        }
      </Loaded>
      <More of={messages} />
    </Section>
  );
}

function MessageTable({ messages }: { messages: Message[] }) {
  return (
    <Table label="Messages">
      <thead>
        <tr>
          <HeadCell>Message</HeadCell>
          <HeadCell>State</HeadCell>
          <HeadCell figure>Tries</HeadCell>
          <HeadCell>Answer</HeadCell>
          <HeadCell>Next try</HeadCell>
          <HeadCell>
            <span className="sr-only">Actions</span>
          </HeadCell>
        </tr>
      </thead>
      <tbody>
        {messages.map((message) => (
          <MessageRow key={message.id} message={message} />
        ))}
      </tbody>
    </Table>
  );
}

function MessageRow({ message }: { message: Message }) {
  const [open, setOpen] = useState(false);
  const { subject, event, createdAt, state, tries, lastStatus, lastError, nextTryAt } = message;
  return (
    <>
      <tr className="hover:bg-sunken/60">
        <Cell className="break-words">
          {subject ?? <code className="font-mono text-xs">{event}</code>}{' '}
          <span className="text-xs text-ink-2">
            <Time at={createdAt} short />
          </span>
        </Cell>
        <Cell>
          <DeliveryChip state={state} />
        </Cell>
        <Cell figure>{count(tries)}</Cell>
        <Cell className="max-w-80 break-words">
          {lastStatus ?? DASH} {lastError && <span className="text-ink-2">{lastError}</span>}
        </Cell>
        <Cell>
          <Time at={nextTryAt} short />
        </Cell>
        <Cell>
          <Button kind="quiet" pressed={open} onClick={() => setOpen(!open)}>
            Each try
          </Button>
        </Cell>
      </tr>
      {open && (
        <tr>
          <td colSpan={6} className="border-b border-line/60 bg-sunken/60 px-3 py-2">
            <MessageTries message={message} />
          </td>
        </tr>
      )}
    </>
  );
}

function MessageTries({ message: { id, channelId } }: { message: Message }) {
  const params = { path: { channelId, messageId: id } };
  const withTries = api.useQuery('get', '/app/channels/{channelId}/messages/{messageId}', { params });
  return (
    <Loaded of={withTries} rows={1}>
      {({ log }) => <TryList log={log} />}
    </Loaded>
  );
}
