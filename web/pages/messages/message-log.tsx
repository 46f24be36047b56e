import { useSearch } from '@tanstack/react-router';
import { DELIVERY_STATES } from '../../../src/domain/vocabulary.ts';
import { api, type Schemas } from '../../client/api.ts';
import { byCursor } from '../../client/by-cursor.ts';
import { words } from '../../format.ts';
import { TabLink } from '../../ui/link.tsx';
import { More } from '../../ui/more.tsx';
import { Section } from '../../ui/panel.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { HeadCell, Table } from '../../ui/table.tsx';
import { LogRow } from '../settings/log-row.tsx';
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
  const { subject, event } = message;
  return (
    <LogRow
      of={message}
      what={subject ?? <code className="font-mono text-xs">{event}</code>}
      tries={<MessageTries message={message} />}
    />
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
