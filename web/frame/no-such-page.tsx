import { Link } from '@tanstack/react-router';
import { buttonLook } from '../ui/button.tsx';
import { Page } from '../ui/page.tsx';

export function NoSuchPage() {
  return (
    <main>
      <Page title="Page not found">
        <p className="mb-4 text-ink-2">
          The address may be mistyped, or what it pointed to was deleted or belongs to another workspace.
        </p>
        <Link to="/" className={buttonLook('primary')}>
          Go to the issues
        </Link>
      </Page>
    </main>
  );
}
