import { Link } from '@tanstack/react-router';
import { buttonLook } from '../ui/button.tsx';
import { Page } from '../ui/page.tsx';

export function NoSuchPage() {
  return (
    <main>
      <Page title="There is no such page">
        <p className="mb-4 text-ink-2">The address may have a mistake in it, or what it showed is gone or not yours.</p>
        <Link to="/" className={buttonLook('primary')}>
          Go to the issues
        </Link>
      </Page>
    </main>
  );
}
