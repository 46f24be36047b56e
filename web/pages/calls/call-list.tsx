import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState } from 'react';
import type { Schemas } from '../../client/api.ts';
import { ZONE } from '../../format.ts';
import { useKey } from '../../frame/keys.ts';
import { useWidth } from '../../ui/use-width.ts';
import { CallRow, ROW_COLUMNS } from './call-row.tsx';
import type { CallFilters } from './filters.ts';
import { lastList } from './list-walk.ts';
import { useSignalTitles } from './use-signals.ts';

type Call = Schemas['Call'];

const ROW_PX = 44;
/** Of a row in two lines, as it is on phones. */
const TWO_LINES_PX = 60;
const NARROW_PX = 552;
const OVERSCAN = 12;
const NEAR_END = 40;
const HEADINGS = [`Started (${ZONE})`, 'Length', 'Version', 'Outcome', 'What the caller wanted', 'Signals'];

interface CallListProps {
  calls: Call[];
  filters: CallFilters;
  hasMore: boolean;
  onNearEnd: () => void;
}

/** Only the rows that are looked at are in the document, however long the list is. */
export function CallList({ calls, filters, hasMore, onNearEnd }: CallListProps) {
  const list = useRef<HTMLDivElement>(null);
  const rowPx = useWidth(list, (width) => (width < NARROW_PX ? TWO_LINES_PX : ROW_PX));
  const titles = useSignalTitles();
  const [top, setTop] = useState(0);
  useEffect(() => setTop(list.current?.offsetTop ?? 0), []);
  useEffect(() => lastList.set({ filters, ids: calls.map(({ id }) => id) }), [calls, filters]);
  const rows = useWindowVirtualizer({
    count: calls.length,
    estimateSize: () => rowPx,
    overscan: OVERSCAN,
    scrollMargin: top,
  });
  const laidOut = useRef(rowPx);
  useEffect(() => {
    if (laidOut.current === rowPx) return;
    laidOut.current = rowPx;
    rows.measure();
  }, [rows, rowPx]);
  const shown = rows.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last > calls.length - NEAR_END) onNearEnd();
  }, [last, calls.length, onNearEnd]);
  const move = (by: number) => () => {
    const focused = Number((document.activeElement as HTMLElement | null)?.dataset['row'] ?? -1);
    const next = Math.min(Math.max(focused + by, 0), calls.length - 1);
    rows.scrollToIndex(next, { align: 'auto' });
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>(`[data-row="${next}"]`)?.focus());
  };
  useKey({ j: move(1), k: move(-1) });
  return (
    <div
      role="table"
      aria-label="Calls, newest first"
      aria-rowcount={hasMore ? -1 : calls.length + 1}
      className="rounded-panel border border-line bg-surface text-sm"
    >
      <div role="rowgroup">
        <div role="row" aria-rowindex={1} className={`${ROW_COLUMNS} border-b border-line py-2 @max-page-md:sr-only`}>
          {HEADINGS.map((heading) => (
            <div key={heading} role="columnheader" className="text-xs font-medium text-ink-2 last:@max-page-lg:hidden">
              {heading}
            </div>
          ))}
        </div>
      </div>
      <div role="rowgroup" ref={list} className="relative" style={{ height: rows.getTotalSize() }}>
        {shown.map(({ index, start }) => {
          const call = calls[index];
          return (
            call && (
              <div
                key={call.id}
                role="row"
                aria-rowindex={index + 2}
                className={`${ROW_COLUMNS} absolute inset-x-0 border-b border-line/60 hover:bg-sunken/70`}
                style={{ height: rowPx, transform: `translateY(${start - top}px)` }}
              >
                <CallRow call={call} index={index} titles={titles} />
              </div>
            )
          );
        })}
      </div>
    </div>
  );
}
