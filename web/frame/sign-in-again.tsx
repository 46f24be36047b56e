import { SignInForm } from '../pages/sign-in/sign-in-form.tsx';
import { Dialog } from '../ui/dialog.tsx';

/** Over the page, which stays as it is: what was typed there is still there afterwards. */
export function SignInAgain() {
  return (
    <Dialog title="Your session has ended" onClose={() => {}} firm>
      <p className="mb-4 text-ink-2">Sign in again to go on. Nothing on this page is lost.</p>
      <SignInForm onSignedIn={() => {}} />
    </Dialog>
  );
}
