import { type ReactNode, useState } from 'react';
import type { Schemas } from '../../client/api.ts';
import { count, DASH } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { Cell } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { DeliveryChip } from './delivery-chip.tsx';

interface LogRowProps {
  of: Pick<Schemas['WebhookDelivery'], 'createdAt' | 'state' | 'tries' | 'lastStatus' | 'lastError' | 'nextTryAt'>;
  what: ReactNode;
  /** Left out: the table has no column for it. */
  lastTriedAt?: string | null;
  actions?: ReactNode;
  /** Shown below once it is asked for. */
  tries: ReactNode;
}

/** One thing that was sent, with what came back, in a table of such. */
export function LogRow({ of, what, lastTriedAt, actions, tries }: LogRowProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <tr className="hover:bg-sunken/60">
        <Cell className="break-words">
          {what}{' '}
          <span className="text-xs text-ink-2">
            <Time at={of.createdAt} short />
          </span>
        </Cell>
        <Cell>
          <DeliveryChip state={of.state} />
        </Cell>
        <Cell figure>{count(of.tries)}</Cell>
        <Cell className="max-w-80 break-words">
          {of.lastStatus ?? DASH} {of.lastError && <span className="text-ink-2">{of.lastError}</span>}
        </Cell>
        {lastTriedAt !== undefined && (
          <Cell>
            <Time at={lastTriedAt} short />
          </Cell>
        )}
        <Cell>
          <Time at={of.nextTryAt} short />
        </Cell>
        <Cell className="whitespace-nowrap">
          <Button kind="quiet" pressed={open} onClick={() => setOpen(!open)}>
            Each try
          </Button>
          {actions}
        </Cell>
      </tr>
      {open && (
        <tr>
          <td colSpan={lastTriedAt === undefined ? 6 : 7} className="border-b border-line/60 bg-sunken/60 px-3 py-2">
            {tries}
          </td>
        </tr>
      )}
    </>
  );
}
