import type { ReactNode } from 'react';
import { count } from '../../format.ts';
import { Button } from '../../ui/button.tsx';

/** So many turns stand in the document at once, where the browser's own search finds them. */
export const TURNS_A_PORTION = 500;

/** Of the turn at this place of the transcript; one that is not there is looked for at the beginning. */
export const portionOf = (place: number): number => Math.floor(Math.max(0, place) / TURNS_A_PORTION);

interface PortionsProps {
  turns: number;
  /** So many of them are there by now. */
  loaded: number;
  shown: number;
  onShow: (portion: number) => void;
  children: ReactNode;
}

/** Around the turns of a very long call: what comes before and after those that are shown. */
export function Portions({ turns, loaded, shown, onShow, children }: PortionsProps) {
  const last = portionOf(turns - 1);
  if (last === 0 && loaded === turns) return children;
  const until = Math.min((shown + 1) * TURNS_A_PORTION, turns);
  return (
    <div>
      <p className="mb-2 flex flex-wrap items-center gap-3 text-sm text-ink-2">
        Turns {count(shown * TURNS_A_PORTION + 1)} to {count(until)} of {count(turns)}
        {loaded < turns && ` (${count(loaded)} loaded)`}
        {shown > 0 && <Button onClick={() => onShow(shown - 1)}>Earlier turns</Button>}
      </p>
      {children}
      {shown < last && (
        <p className="mt-3">
          <Button onClick={() => onShow(shown + 1)}>Later turns</Button>
        </p>
      )}
    </div>
  );
}
