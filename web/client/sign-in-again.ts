import { currentToken, sessionState } from './session.ts';

/** Waits until somebody is signed in again, so that what was asked or typed before is not lost. */
export async function untilSignedIn(): Promise<string> {
  for (;;) {
    if (sessionState.get() === 'signed-in') {
      const token = await currentToken();
      if (token !== null) return token;
    }
    await change();
  }
}

function change(): Promise<void> {
  return new Promise((resolve) => {
    const stop = sessionState.subscribe(() => {
      stop();
      resolve();
    });
  });
}
