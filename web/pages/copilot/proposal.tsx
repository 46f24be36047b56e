import { CHANGES_FROM } from '../../../src/domain/access/roles.ts';
import { useRoleRefusal } from '../../client/admin-only.ts';
import { api } from '../../client/api.ts';
import { useChange } from '../../client/use-change.ts';
import { Button } from '../../ui/button.tsx';
import { Chip, type Tone } from '../../ui/chip.tsx';
import { TextLink } from '../../ui/link.tsx';
import { Panel } from '../../ui/panel.tsx';
import { RefusalNote } from '../../ui/states.tsx';
import type { ProposalCard } from './answer.ts';
import { type Cited, placeOf } from './citation-link.tsx';

const STATES: Record<ProposalCard['state'], { tone: Tone; says: string }> = {
  proposed: { tone: 'caution', says: 'waits for you' },
  confirming: { tone: 'caution', says: 'is being done' },
  confirmed: { tone: 'good', says: '✓ done' },
  dismissed: { tone: 'neutral', says: 'dismissed' },
};

/** A change that the copilot proposes: all of it is shown, and nothing comes of it before a person confirms. */
export function Proposal({ agentId, card }: { agentId: string; card: ProposalCard }) {
  const { tone, says } = STATES[card.state];
  return (
    <Panel className="space-y-2 p-3">
      <section aria-label="Proposal" className="space-y-2">
        <p className="flex flex-wrap items-center gap-2 text-xs text-ink-2">
          Proposed <Chip tone={tone}>{says}</Chip>
        </p>
        <Summary agentId={agentId} card={card} />
        <details className="text-sm">
          <summary className="flex w-fit items-center gap-1 text-ink-2">All that would be sent</summary>
          <pre
            className="mt-1 max-h-64 overflow-auto rounded-control bg-sunken p-2 font-mono text-xs whitespace-pre-wrap"
            tabIndex={0}
          >
            {JSON.stringify(card.input.body, null, 2)}
          </pre>
        </details>
        {card.state === 'proposed' ? (
          <Decide agentId={agentId} card={card} />
        ) : (
          <Outcome agentId={agentId} card={card} />
        )}
      </section>
    </Panel>
  );
}

const UUID = /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/;

/** The server's sentence, in which ids lead to what they name. */
function Summary({ agentId, card }: { agentId: string; card: ProposalCard }) {
  return (
    <p className="break-words">
      {card.summary.split(UUID).map((piece, at) => {
        const cited = at % 2 === 1 ? namedBy(card, piece) : null;
        if (!cited) return piece;
        return (
          <TextLink key={piece} {...placeOf(agentId, cited)} className="underline">
            (open it)
          </TextLink>
        );
      })}
    </p>
  );
}

const PARAMS = { issueId: 'issue', testId: 'test', draftId: 'draft', goalId: 'goal' } as const;

function namedBy({ input }: ProposalCard, id: string): Cited | null {
  const params = Object.entries(PARAMS);
  const kind = params.find(([param]) => input.path[param] === id)?.[1];
  if (kind) return { kind, id };
  return input.body['sourceCallId'] === id || input.body['callId'] === id ? { kind: 'call', id } : null;
}

function Decide({ agentId, card }: { agentId: string; card: ProposalCard }) {
  const change = useChange();
  const confirm = api.useMutation('post', '/app/agents/{agentId}/copilot/cards/{cardId}/confirm');
  const dismiss = api.useMutation('post', '/app/agents/{agentId}/copilot/cards/{cardId}/dismiss');
  const unless = useRoleRefusal(CHANGES_FROM);
  const params = { path: { agentId, cardId: card.id } };
  return (
    <>
      <RefusalNote error={confirm.error ?? dismiss.error} />
      <div className="flex flex-wrap gap-2">
        <Button
          kind="primary"
          busy={confirm.isPending}
          unless={unless}
          onClick={() => void change(confirm.mutateAsync({ params, body: { digest: card.digest } }))}
        >
          Confirm
        </Button>
        <Button busy={dismiss.isPending} unless={unless} onClick={() => void change(dismiss.mutateAsync({ params }))}>
          Dismiss
        </Button>
      </div>
    </>
  );
}

const MADE: Record<string, Cited['kind']> = {
  createTest: 'test',
  replaceTestSpec: 'test',
  createWatch: 'watch',
  setIssueStatus: 'issue',
  createGoal: 'goal',
  changeGoal: 'goal',
  createDraft: 'draft',
  changeDraft: 'draft',
};

/** What came of it. */
function Outcome({ agentId, card: { operation, input, result } }: { agentId: string; card: ProposalCard }) {
  const kind = MADE[operation];
  const id = result?.id ?? input.path[`${kind}Id`];
  if (!result || !kind || !id) return null;
  return (
    <TextLink {...placeOf(agentId, { kind, id })} className="text-sm">
      Open the {kind}
    </TextLink>
  );
}
