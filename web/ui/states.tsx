import { type ReactNode, useEffect, useState } from 'react';
import { type Problem, problemOf } from '../client/problem.ts';
import { Button } from './button.tsx';
import { Panel } from './panel.tsx';

const SKELETON_AFTER_MS = 150;

/** Rows in the place of those that come; nothing at all for a moment, so that quick answers do not flicker. */
export function Skeleton({ rows = 6 }: { rows?: number }) {
  const [shown, show] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => show(true), SKELETON_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div role="status" aria-label="Loading" className={shown ? 'space-y-2 py-1' : 'invisible space-y-2 py-1'}>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className="h-8 rounded-control bg-sunken" />
      ))}
    </div>
  );
}

/** Nothing there: what will appear, and the step that makes it. */
export function Empty({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <Panel className="px-6 py-8">
      <p className="font-medium">{title}</p>
      {children && <div className="mt-1 max-w-[72ch] text-ink-2">{children}</div>}
      {action && <div className="mt-4">{action}</div>}
    </Panel>
  );
}

const TITLES: Record<Problem['kind'], string> = {
  missing: 'Not found',
  not_allowed: 'You don’t have access to this',
  away: 'Not connected',
  refused: 'This couldn’t be shown',
  failed: 'Something failed on the server',
};

export function ProblemNote({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const problem = problemOf(error);
  return (
    <Panel className="px-6 py-6">
      <div role="alert">
        <p className="font-medium">{TITLES[problem.kind]}</p>
        <p className="mt-1 max-w-[72ch] text-ink-2">{problem.text}</p>
      </div>
      <div className="mt-4 flex flex-wrap items-center gap-3">
        {onRetry && problem.kind !== 'missing' && <Button onClick={onRetry}>Try again</Button>}
        {problem.requestId && <code className="font-mono text-xs text-ink-3">{problem.requestId}</code>}
      </div>
    </Panel>
  );
}

/** A refusal beside the button that was pressed. */
export function RefusalNote({ error }: { error: unknown }) {
  if (error === null || error === undefined) return null;
  return (
    <p role="alert" className="text-sm text-bad">
      {problemOf(error).text}
    </p>
  );
}

interface Asked<T> {
  data: T | undefined;
  error: unknown;
  refetch: () => unknown;
}

/** What was asked for, or why it is not there yet. What came before stays while the server is away. */
export function Loaded<T>({
  of,
  rows,
  children,
}: {
  of: Asked<T>;
  rows?: number;
  children: (data: T) => ReactNode;
}): ReactNode {
  if (of.data !== undefined) return children(of.data);
  if (of.error) return <ProblemNote error={of.error} onRetry={() => void of.refetch()} />;
  return <Skeleton {...(rows === undefined ? {} : { rows })} />;
}
