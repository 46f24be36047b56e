import type { FastifyInstance, FastifyReply } from 'fastify';

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'";

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Earshot: set your password</title>
<link rel="stylesheet" href="/links/page.css">
<main>
  <h1>Welcome to Earshot</h1>
  <form id="form">
    <p id="what">Choose how you sign in. This link works once.</p>
    <label>E-mail <input name="email" type="email" autocomplete="username" required></label>
    <label>Password <input name="password" type="password" minlength="10" maxlength="200" autocomplete="new-password" required></label>
    <p class="hint" id="hint">Ten characters or more.</p>
    <button id="go">Set password and sign in</button>
  </form>
  <p id="said" role="status"></p>
  <noscript><p>This page needs JavaScript. In a terminal: <code>npx earshot sign-in --link &lt;this address&gt;</code></p></noscript>
</main>
<script src="/links/page.js"></script>
</html>
`;

const STYLE = `:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 26rem; margin: 12vh auto; padding: 0 1rem; }
label { display: block; margin: 0.75rem 0 0; }
input { display: block; box-sizing: border-box; width: 100%; padding: 0.5rem; font: inherit; }
button { margin-top: 0.5rem; padding: 0.5rem 1rem; font: inherit; }
.hint { margin: 0.25rem 0 0; opacity: 0.7; }
`;

const SCRIPT = `const form = document.getElementById('form');
const said = document.getElementById('said');
const secret = location.pathname.split('/').pop();
let choosesEmail = true;

async function describe() {
  const answer = await fetch('/app/links/' + secret);
  const body = await answer.json();
  if (!answer.ok) {
    form.remove();
    said.textContent = 'This link was used already, has expired, or is none. Ask for a new one.';
    return;
  }
  choosesEmail = body.choosesEmail;
  if (choosesEmail) return;
  form.email.value = body.email;
  form.email.readOnly = true;
  const what = document.getElementById('what');
  if (body.purpose === 'invitation') what.textContent = 'You are invited to ' + body.workspaceName + '. This link works once.';
  if (body.setsPassword) return;
  form.password.removeAttribute('minlength');
  form.password.autocomplete = 'current-password';
  document.getElementById('hint').textContent = 'The password that you sign in with already.';
  document.getElementById('go').textContent = 'Join and sign in';
}

describe().catch(() => {
  said.textContent = 'The server does not answer. Try again in a moment.';
});

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const { email, password } = Object.fromEntries(new FormData(form));
  try {
    const answer = await fetch('/app/links/' + secret, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(choosesEmail ? { email, password } : { password }),
    });
    const body = await answer.json();
    if (answer.ok) {
      form.remove();
      said.textContent = 'Done. From now on you sign in as ' + body.person.email + '.';
      return;
    }
    said.textContent = body.error.message;
  } catch {
    said.textContent = 'The server does not answer. Try again in a moment.';
  }
});
`;

/** Where a one-time link leads: a form that uses it. The secret stays in the address bar and the request. */
export function addLinkPage(app: FastifyInstance): void {
  const serve = (type: string, text: string) => async (_request: unknown, reply: FastifyReply) =>
    reply
      .header('content-type', `${type}; charset=utf-8`)
      .header('content-security-policy', POLICY)
      .header('referrer-policy', 'no-referrer')
      .header('cache-control', 'no-store')
      .send(text);
  app.get('/links/page.css', serve('text/css', STYLE));
  app.get('/links/page.js', serve('text/javascript', SCRIPT));
  app.get('/links/:secret', serve('text/html', PAGE));
}
