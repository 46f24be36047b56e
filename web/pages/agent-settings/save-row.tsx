import { Button } from '../../ui/button.tsx';
import { RefusalNote } from '../../ui/states.tsx';

interface SaveRowProps {
  state: { busy: boolean; kept: boolean; error: unknown };
  unless: string | null;
  children: string;
}

/** Under a form: the button that keeps it, and what became of it. */
export function SaveRow({ state, unless, children }: SaveRowProps) {
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button type="submit" busy={state.busy} unless={unless}>
        {children}
      </Button>
      <span role="status" className="text-sm text-ink-2">
        {state.kept && 'Saved.'}
      </span>
      <RefusalNote error={state.error} />
    </div>
  );
}
