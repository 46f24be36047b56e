import { useRouterState } from '@tanstack/react-router';

/** The turn that the address points at: `#turn-12`. */
export function useTurnOfAddress(): number | null {
  const hash = useRouterState({ select: ({ location }) => location.hash });
  const turn = /^turn-(\d+)$/.exec(hash)?.[1];
  return turn === undefined ? null : Number(turn);
}
