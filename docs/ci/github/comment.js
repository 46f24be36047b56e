// Keeps one comment of a pull request up to date: the one that begins with the summary's own first line.
import { readFile } from 'node:fs/promises';

const { GITHUB_API_URL = 'https://api.github.com', GITHUB_REPOSITORY, GITHUB_EVENT_PATH, COMMENT_TOKEN } = process.env;
const PAGES = 10;

/** @param {string} method @param {string} path @param {unknown} [body] */
async function github(method, path, body) {
  const response = await fetch(`${GITHUB_API_URL}/repos/${GITHUB_REPOSITORY}${path}`, {
    method,
    headers: {
      accept: 'application/vnd.github+json',
      authorization: `Bearer ${COMMENT_TOKEN}`,
      'content-type': 'application/json',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`GitHub answered ${response.status} to ${method} ${path}`);
  return response.json();
}

/** @param {number} number @param {string} marker @returns {Promise<number | null>} */
async function findComment(number, marker) {
  for (let page = 1; page <= PAGES; page += 1) {
    const comments = await github('GET', `/issues/${number}/comments?per_page=100&page=${page}`);
    // Anybody may write the marker; what a person wrote is never replaced.
    const own = comments.find(({ body, user }) => body?.startsWith(marker) && user?.type === 'Bot');
    if (own) return own.id;
    if (comments.length < 100) return null;
  }
  return null;
}

async function comment() {
  const event = JSON.parse(await readFile(GITHUB_EVENT_PATH ?? '', 'utf8'));
  const number = event.pull_request?.number;
  if (number === undefined) return;
  const body = await readFile(process.argv[2] ?? '', 'utf8');
  const [marker = ''] = body.split('\n', 1);
  const id = await findComment(number, marker);
  if (id === null) await github('POST', `/issues/${number}/comments`, { body });
  else await github('PATCH', `/issues/comments/${id}`, { body });
}

try {
  await comment();
} catch (error) {
  // A fork's token may not write: the run's own result matters more than the comment.
  const reason = error instanceof Error ? error.message : 'unknown';
  process.stdout.write(`::warning::The comment could not be written: ${reason}\n`);
}
