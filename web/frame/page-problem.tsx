import { Page } from '../ui/page.tsx';
import { ProblemNote } from '../ui/states.tsx';

/** A page that could not be shown at all. */
export function PageProblem({ error, reset }: { error: unknown; reset: () => void }) {
  return (
    <Page title="This page could not be shown">
      <ProblemNote error={error} onRetry={reset} />
    </Page>
  );
}
