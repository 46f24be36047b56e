import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useAgent } from '../../frame/agent-frame.tsx';

interface CallsLinkProps {
  version: number;
  name: string;
  step: string;
  nextStep?: string;
  children: ReactNode;
}

/** To the calls of a version that reached a step, or went on from it to the next. */
export function CallsLink({ version, name, step, nextStep, children }: CallsLinkProps) {
  const agent = useAgent();
  return (
    <Link
      to="/a/$agentId/calls"
      params={{ agentId: agent.id }}
      search={{ version, step, ...(nextStep === undefined ? {} : { nextStep }) }}
      // A step is named by the words in it; a line has none.
      aria-label={nextStep === undefined ? undefined : name}
      // Lines are thin and cross each other: by keyboard the table leads to the same calls.
      tabIndex={nextStep === undefined ? 0 : -1}
    >
      {children}
    </Link>
  );
}
