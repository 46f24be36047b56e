import { Button } from './button.tsx';

interface Paged {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
}

/** Under a list that has a further page. */
export function More({ of }: { of: Paged }) {
  if (!of.hasNextPage) return null;
  return (
    <div className="mt-3">
      <Button busy={of.isFetchingNextPage} onClick={() => void of.fetchNextPage()}>
        Show more
      </Button>
    </div>
  );
}
