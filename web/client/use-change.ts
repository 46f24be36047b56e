import { useQueryClient } from '@tanstack/react-query';

/** Waits for a change, then reads afresh what is shown. @returns null where it was refused: the mutation keeps why. */
export function useChange(): <T>(changing: Promise<T>) => Promise<T | null> {
  const queries = useQueryClient();
  return async (changing) => {
    const changed = await changing.catch(() => null);
    await queries.invalidateQueries();
    return changed;
  };
}
